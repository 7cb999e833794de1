//! The threads that own the connections, and the queue before them.

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

/// How many jobs may wait; beyond that, callers wait to get in.
const QUEUE: usize = 1024;
/// How many writes share a commit at most: enough for its cost to be small, and few enough for
/// several connections to have some at once.
const GROUP: usize = 16;
/// How a group begins: what waits for somebody else is better done apart, where nothing waits for
/// it and nobody waits for a group that waits for them.
const BEGIN_GROUP: &str = "BEGIN; SET LOCAL lock_timeout = '100ms'";
/// After how many writes the server is told to look how full the tables are. A plan that is made while
/// they are empty goes through all rows of a tenant as soon as by the key, and the server looks by
/// itself only after a minute.
const LOOKS: [u64; 3] = [100, 1_000, 10_000];
/// How often a job is done again because somebody else was faster.
const ATTEMPTS: u32 = 32;
/// For how long nobody tries to connect after somebody could not.
const PAUSE: Duration = Duration::from_millis(200);

type Jobs = Arc<Mutex<Queue>>;

/// Why and when the server could last not be connected to. For a moment all hear the same, so that
/// what is in the queue is answered at once.
type Away = Arc<Mutex<Option<(Instant, StoreError)>>>;

/// What waits.
struct Queue {
    jobs: mpsc::Receiver<Box<dyn Job>>,
    /// The first of those that wait, when it could not go with those before it.
    next: Option<Box<dyn Job>>,
}

/// The way to the threads, which end when this is dropped.
#[derive(Debug)]
pub(in crate::store) struct Pool {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Pool {
    /// Starts so many threads, each with a connection of its own; at most `group` writes share a
    /// commit.
    pub(in crate::store) fn start(
        config: &Config,
        connections: usize,
        group: usize,
        flush: Flush,
        counters: &Arc<Counters>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let jobs = Arc::new(Mutex::new(Queue { jobs, next: None }));
        let away = Away::default();
        for number in 0..connections {
            let mut worker = Worker {
                config: config.clone(),
                group: group.min(GROUP),
                flush,
                away: Arc::clone(&away),
                counters: Arc::clone(counters),
                connection: None,
                look: false,
            };
            let jobs = Arc::clone(&jobs);
            thread::Builder::new()
                .name(format!("postgres-{number}"))
                .spawn(move || worker.serve(&jobs))
                .map_err(|error| StoreError::Database(error.to_string()))?;
        }
        Ok(Self { queue })
    }

    /// How many jobs are in the queue.
    pub(in crate::store) fn waiting(&self) -> usize {
        self.queue.max_capacity() - self.queue.capacity()
    }

    pub(in crate::store) async fn send(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        self.queue.send(job).await.map_err(|_| StoreError::Closed)
    }
}

impl Queue {
    /// One job that reads, or as many that write as wait, up to a limit; nothing once there will be
    /// none.
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

/// One thread and its connection.
struct Worker {
    config: Config,
    group: usize,
    flush: Flush,
    away: Away,
    counters: Arc<Counters>,
    connection: Option<Connection>,
    /// Whether the server is to be told to look how full the tables are.
    look: bool,
}

impl Worker {
    fn serve(&mut self, jobs: &Jobs) {
        loop {
            self.look();
            let next = jobs
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(self.group);
            let Some(mut group) = next else { return };
            if group.len() > 1
                && let Some(ended) = self.together(&mut group)
            {
                for job in group {
                    job.answer(ended.clone());
                }
                continue;
            }
            for mut job in group {
                let ended = self.attempt(&mut job);
                if let Err(error) = &ended {
                    tracing::error!(%error, "not written");
                }
                job.answer(ended);
            }
        }
    }

    /// Has the server look how full the tables are, if it is time to.
    fn look(&mut self) {
        if !std::mem::take(&mut self.look) {
            return;
        }
        if let Some(connection) = &self.connection {
            let analyze = format!("ANALYZE (SKIP_LOCKED) {}", schema::OF_TENANT.join(", "));
            if let Err(error) = connection.batch(&analyze) {
                tracing::warn!(%error, "the server does not look how full the tables are");
            }
        }
    }

    /// Does a group in one transaction; nothing when that will not do, and nothing was kept.
    fn together(&mut self, group: &mut [Box<dyn Job>]) -> Option<Result<(), StoreError>> {
        match self.once(group) {
            Ok(()) => Some(Ok(())),
            Err(Trouble::During(error)) => {
                self.connection = None;
                tracing::error!(%error, writes = group.len(), "group not written");
                Some(Err(error))
            }
            Err(Trouble::Conflict | Trouble::Refused(_) | Trouble::Before(_)) => None,
        }
    }

    /// Does a job until nobody else is faster; over a connection that has broken once more on a new
    /// one.
    fn attempt(&mut self, job: &mut Box<dyn Job>) -> Result<(), StoreError> {
        for _ in 0..ATTEMPTS {
            let is_new = self.connection.is_none();
            match self.once(std::slice::from_mut(job)) {
                Err(Trouble::Conflict) => {}
                Err(Trouble::Before(_)) if !is_new => self.connection = None,
                Err(Trouble::Before(error) | Trouble::During(error)) => {
                    self.connection = None;
                    return Err(error);
                }
                Err(Trouble::Refused(error)) => return Err(error),
                Ok(()) => return Ok(()),
            }
        }
        Err(StoreError::Stale)
    }

    /// Does jobs in one transaction, all of them or, when one has to be undone, none.
    fn once(&mut self, group: &mut [Box<dyn Job>]) -> Result<(), Trouble> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().map_err(Trouble::Before)?,
        };
        let connection = self.connection.insert(connection);
        let Engine::Postgres(session) = &connection.0 else {
            return Err(Trouble::Before(StoreError::Closed));
        };
        let reads = group.iter().all(|job| job.only_reads());
        session.begin(match group.len() {
            _ if reads => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            1 => "BEGIN",
            _ => BEGIN_GROUP,
        });
        let fate = run(connection, session, group);
        if session.is_closed() {
            // Nothing was committed, so that nothing is lost by doing it again.
            let error = StoreError::Unreachable("the connection broke".to_owned());
            return Err(Trouble::Before(error));
        }
        if fate == Fate::Keep {
            return match session.commit() {
                Ok(()) => {
                    if !reads {
                        let (before, now) = self.counters.committed(group.len());
                        self.look |= LOOKS.iter().any(|look| (before + 1..=now).contains(look));
                    }
                    Ok(())
                }
                Err(StoreError::Stale) => Err(Trouble::Conflict),
                // Whether it was written cannot be known: the natural key tells whoever asks again.
                Err(StoreError::Unreachable(error)) => {
                    Err(Trouble::During(StoreError::Commit(error)))
                }
                Err(error) => Err(Trouble::Refused(error)),
            };
        }
        session.roll_back().map_err(Trouble::During)?;
        if fate == Fate::Again {
            return Err(Trouble::Conflict);
        }
        Ok(())
    }

    /// Connects, unless somebody could not a moment ago.
    fn connect(&self) -> Result<Connection, StoreError> {
        if let Some((since, error)) = &*self.away.lock().unwrap_or_else(PoisonError::into_inner)
            && since.elapsed() < PAUSE
        {
            return Err(error.clone());
        }
        let connected = Session::connect(&self.config, self.flush);
        let away = connected.as_ref().err();
        let away = away.map(|error| (Instant::now(), error.clone()));
        *self.away.lock().unwrap_or_else(PoisonError::into_inner) = away;
        Ok(Connection(Engine::Postgres(Box::new(connected?))))
    }
}

/// Runs jobs one after the other. One alone decides what is to become of what it wrote. Of several, a
/// refusal is kept company to as long as it wrote nothing: any other trouble means doing each apart.
fn run(connection: &Connection, session: &Session, group: &mut [Box<dyn Job>]) -> Fate {
    if let [alone] = group {
        return alone.run(connection);
    }
    for job in group {
        let before = session.written();
        let fate = job.run(connection);
        let wrote = session.written() != before;
        if session.has_failed() || fate == Fate::Again || (fate == Fate::Undo && wrote) {
            return Fate::Again;
        }
    }
    Fate::Keep
}

/// Why a job did not come to its end.
enum Trouble {
    /// Somebody else was faster.
    Conflict,
    /// The database refuses what was to be written, and none of it was.
    Refused(StoreError),
    /// The connection failed, and nothing was written.
    Before(StoreError),
    /// The connection failed when it was to be written.
    During(StoreError),
}
