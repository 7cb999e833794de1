//! A pool of threads, each with a connection, and the queue of their jobs.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio_postgres::Config;

use crate::store::connection::{Connection, Engine};
use crate::store::counters::Counters;
use crate::store::engine::Session;
use crate::store::error::StoreError;
use crate::store::flush::Flush;
use crate::store::job::{Fate, Job};
use crate::store::schema;

/// The capacity of the queue; callers wait while it is full.
const QUEUE: usize = 1024;
/// The most writes that share a commit: enough to make its cost small, and few enough that several
/// connections get work.
const GROUP: usize = 16;
/// Begins a group. A write that waits for a lock is better retried alone: then no other write of
/// the group waits with it.
const BEGIN_GROUP: &str = "BEGIN; SET LOCAL lock_timeout = '100ms'";
/// The numbers of writes after which the server collects statistics. While it has none, it may plan
/// a scan of all rows of a tenant instead of a search by key, and its own check runs only once a
/// minute.
const ANALYZE_AFTER: [u64; 3] = [100, 1_000, 10_000];
/// How often a job runs before it fails because of conflicts.
const ATTEMPTS: u32 = 32;
/// The pause after a failed attempt to connect, shared by all connections.
const PAUSE: Duration = Duration::from_millis(200);

type Jobs = Arc<Mutex<Queue>>;

/// The last failed attempt to connect. During the pause all jobs get this error, so that the queue
/// is answered at once.
type Outage = Arc<Mutex<Option<(Instant, StoreError)>>>;

/// The queued jobs.
struct Queue {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    /// A job that was taken from the channel but could not join the previous group.
    next: Option<Box<dyn Job>>,
}

/// The queue's sender. The threads end when it is dropped.
#[derive(Debug)]
pub(in crate::store) struct Pool {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Pool {
    /// Starts a thread for each of `connections`; at most `group` writes share a commit.
    pub(in crate::store) fn start(
        config: &Config,
        connections: usize,
        group: usize,
        flush: Flush,
        counters: &Arc<Counters>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let jobs = Arc::new(Mutex::new(Queue { jobs, next: None }));
        let outage = Outage::default();
        for number in 0..connections {
            let mut worker = Worker {
                config: config.clone(),
                group: group.min(GROUP),
                flush,
                outage: Arc::clone(&outage),
                counters: Arc::clone(counters),
                connection: None,
                needs_statistics: false,
            };
            let jobs = Arc::clone(&jobs);
            thread::Builder::new()
                .name(format!("postgres-{number}"))
                .spawn(move || worker.serve(&jobs))
                .map_err(|error| StoreError::Database(error.to_string()))?;
        }
        Ok(Self { queue })
    }

    /// The number of queued jobs.
    pub(in crate::store) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    pub(in crate::store) async fn send(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        self.queue.send(job).await.map_err(|_| StoreError::Closed)
    }
}

impl Queue {
    /// Takes one reading job or up to `limit` writing jobs; `None` after the pool was dropped.
    fn take(&mut self, limit: usize) -> Option<Vec<Box<dyn Job>>> {
        let first = self.next.take().or_else(|| self.jobs.blocking_recv())?;
        let mut group = vec![first];
        while group.len() < limit && !group[0].only_reads() {
            match self.jobs.try_recv() {
                Ok(job) if job.only_reads() => {
                    self.next = Some(job);
                    break;
                }
                Ok(job) => group.push(job),
                Err(_) => break,
            }
        }
        Some(group)
    }
}

/// A thread with its connection.
struct Worker {
    config: Config,
    group: usize,
    flush: Flush,
    outage: Outage,
    counters: Arc<Counters>,
    connection: Option<Connection>,
    /// Whether the server should collect statistics before the next job.
    needs_statistics: bool,
}

impl Worker {
    fn serve(&mut self, jobs: &Jobs) {
        loop {
            self.collect_statistics();
            let next = jobs
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(self.group);
            let Some(mut group) = next else { return };
            if group.len() > 1
                && let Some(ended) = self.run_group(&mut group)
            {
                for job in group {
                    job.answer(ended.clone());
                }
                continue;
            }
            for mut job in group {
                let ended = self.run_alone(&mut job);
                if let Err(error) = &ended {
                    tracing::error!(%error, "not written");
                }
                job.answer(ended);
            }
        }
    }

    /// Collects statistics if it is time to.
    fn collect_statistics(&mut self) {
        if !std::mem::take(&mut self.needs_statistics) {
            return;
        }
        if let Some(connection) = &self.connection {
            let analyze = format!("ANALYZE (SKIP_LOCKED) {}", schema::OF_TENANT.join(", "));
            if let Err(error) = connection.batch(&analyze) {
                tracing::warn!(%error, "statistics could not be collected");
            }
        }
    }

    /// Runs a group in one transaction. `None` when the jobs have to run separately; nothing was
    /// committed then.
    fn run_group(&mut self, group: &mut [Box<dyn Job>]) -> Option<Result<(), StoreError>> {
        match self.run_once(group) {
            Ok(()) => Some(Ok(())),
            Err(RunError::During(error)) => {
                self.connection = None;
                tracing::error!(%error, writes = group.len(), "group not written");
                Some(Err(error))
            }
            Err(RunError::Conflict | RunError::Refused(_) | RunError::Before(_)) => None,
        }
    }

    /// Runs a job until it has no conflict. When the connection was broken, it connects again once.
    fn run_alone(&mut self, job: &mut Box<dyn Job>) -> Result<(), StoreError> {
        for _ in 0..ATTEMPTS {
            let is_new = self.connection.is_none();
            match self.run_once(std::slice::from_mut(job)) {
                Err(RunError::Conflict) => {}
                Err(RunError::Before(_)) if !is_new => self.connection = None,
                Err(RunError::Before(error) | RunError::During(error)) => {
                    self.connection = None;
                    return Err(error);
                }
                Err(RunError::Refused(error)) => return Err(error),
                Ok(()) => return Ok(()),
            }
        }
        Err(StoreError::Stale)
    }

    /// Runs jobs in one transaction, which commits all of them or none.
    fn run_once(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), RunError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().map_err(RunError::Before)?,
        };
        let connection = self.connection.insert(connection);
        let Engine::Postgres(session) = &connection.0 else {
            return Err(RunError::Before(StoreError::Closed));
        };
        let reads = group.iter().all(|job| job.only_reads());
        session.begin(match group.len() {
            _ if reads => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            1 => "BEGIN",
            _ => BEGIN_GROUP,
        });
        let fate = run(connection, session, group);
        if session.is_closed() {
            // Nothing was committed, so a retry is safe.
            let error = StoreError::Unreachable("the connection broke".to_owned());
            return Err(RunError::Before(error));
        }
        if fate == Fate::Commit {
            return match session.commit() {
                Ok(()) => {
                    if !reads {
                        let (before, now) = self.counters.committed(group.len());
                        self.needs_statistics |= ANALYZE_AFTER
                            .iter()
                            .any(|limit| (before + 1..=now).contains(limit));
                    }
                    Ok(())
                }
                Err(StoreError::Stale) => Err(RunError::Conflict),
                // The commit may have succeeded; a client can find out by repeating the request
                // with its natural key.
                Err(StoreError::Unreachable(error)) => {
                    Err(RunError::During(StoreError::Commit(error)))
                }
                Err(error) => Err(RunError::Refused(error)),
            };
        }
        session.roll_back().map_err(RunError::During)?;
        if fate == Fate::Retry {
            return Err(RunError::Conflict);
        }
        Ok(())
    }

    /// Connects, unless an attempt failed within the pause.
    fn connect(&self) -> Result<Connection, StoreError> {
        if let Some((since, error)) = &*self.outage.lock().unwrap_or_else(PoisonError::into_inner)
            && since.elapsed() < PAUSE
        {
            return Err(error.clone());
        }
        let connected = Session::connect(&self.config, self.flush);
        let outage = connected.as_ref().err();
        let outage = outage.map(|error| (Instant::now(), error.clone()));
        *self.outage.lock().unwrap_or_else(PoisonError::into_inner) = outage;
        Ok(Connection(Engine::Postgres(Box::new(connected?))))
    }
}

/// Runs jobs one after the other. A single job decides its fate. In a group, a refused job without
/// writes does not disturb the others; any other failure means that each job has to run separately.
fn run(connection: &Connection, session: &Session, group: &mut [Box<dyn Job>]) -> Fate {
    if let [alone] = group {
        return alone.run(connection);
    }
    for job in group {
        let before = session.written();
        let fate = job.run(connection);
        let wrote = session.written() != before;
        if session.has_failed() || fate == Fate::Retry || (fate == Fate::RollBack && wrote) {
            return Fate::Retry;
        }
    }
    Fate::Commit
}

/// Why jobs were not committed.
enum RunError {
    /// A concurrent write caused a conflict.
    Conflict,
    /// The database refused the writes.
    Refused(StoreError),
    /// The connection failed before the commit.
    Before(StoreError),
    /// The connection failed during the commit or the rollback.
    During(StoreError),
}
