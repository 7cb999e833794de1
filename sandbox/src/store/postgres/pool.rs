//! The threads that own the connections, and the queue before them.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio_postgres::Config;

use super::Session;
use crate::store::connection::{Connection, Engine};
use crate::store::counters::Counters;
use crate::store::error::StoreError;
use crate::store::job::{Fate, Job};

/// How many jobs may wait; beyond that, callers wait to get in.
const QUEUE: usize = 1024;
/// How often a job is done again because somebody else was faster.
const ATTEMPTS: u32 = 32;
/// For how long nobody tries to connect after somebody could not.
const PAUSE: Duration = Duration::from_millis(200);

type Jobs = Arc<Mutex<mpsc::Receiver<Box<dyn Job>>>>;

/// Why and when the server could last not be connected to. For a moment all hear the same, so that
/// what is in the queue is answered at once.
type Away = Arc<Mutex<Option<(Instant, StoreError)>>>;

/// The way to the threads, which end when this is dropped.
#[derive(Debug)]
pub(in crate::store) struct Pool {
    queue: mpsc::Sender<Box<dyn Job>>,
}

impl Pool {
    /// Starts so many threads, each with a connection of its own.
    pub(in crate::store) fn start(
        config: &Config,
        connections: usize,
        counters: &Arc<Counters>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let jobs = Arc::new(Mutex::new(jobs));
        let away = Away::default();
        for number in 0..connections {
            let mut worker = Worker {
                config: config.clone(),
                away: Arc::clone(&away),
                counters: Arc::clone(counters),
                connection: None,
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

/// One thread and its connection.
struct Worker {
    config: Config,
    away: Away,
    counters: Arc<Counters>,
    connection: Option<Connection>,
}

impl Worker {
    fn serve(&mut self, jobs: &Jobs) {
        loop {
            let next = jobs
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .blocking_recv();
            let Some(mut job) = next else { return };
            let ended = self.attempt(job.as_mut());
            if let Err(error) = &ended {
                tracing::error!(%error, "not written");
            }
            job.answer(ended);
        }
    }

    /// Does a job until nobody else is faster; over a connection that has broken once more on a new
    /// one.
    fn attempt(&mut self, job: &mut dyn Job) -> Result<(), StoreError> {
        for _ in 0..ATTEMPTS {
            let is_new = self.connection.is_none();
            match self.once(job) {
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

    fn once(&mut self, job: &mut dyn Job) -> Result<(), Trouble> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connect().map_err(Trouble::Before)?,
        };
        let connection = self.connection.insert(connection);
        let Engine::Postgres(session) = &connection.0 else {
            return Err(Trouble::Before(StoreError::Closed));
        };
        let begin = if job.only_reads() {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        } else {
            "BEGIN"
        };
        session.begin(begin);
        let fate = job.run(connection);
        if session.is_closed() {
            // Nothing was committed, so that nothing is lost by doing it again.
            let error = StoreError::Unreachable("the connection broke".to_owned());
            return Err(Trouble::Before(error));
        }
        if fate == Fate::Keep {
            return match session.commit() {
                Ok(()) => {
                    if !job.only_reads() {
                        self.counters.committed(1);
                    }
                    Ok(())
                }
                Err(StoreError::Stale) => Err(Trouble::Conflict),
                Err(error @ StoreError::BalanceTooLarge) => Err(Trouble::Refused(error)),
                // Whether it was written cannot be known: the natural key tells whoever asks again.
                Err(error) => Err(Trouble::During(StoreError::Commit(error.to_string()))),
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
        let connected = Session::connect(&self.config);
        let away = connected.as_ref().err();
        let away = away.map(|error| (Instant::now(), error.clone()));
        *self.away.lock().unwrap_or_else(PoisonError::into_inner) = away;
        Ok(Connection(Engine::Postgres(Box::new(connected?))))
    }
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
