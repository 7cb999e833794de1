//! The store: a database that is open.

use std::sync::Arc;

use super::connection::{Connection, Engine};
use super::counters::Counters;
use super::database::Database;
use super::engine::Session;
use super::error::{Conflict, StoreError};
use super::job::{Job, job};
use super::postgres::Pool;
use super::sqlite::{self, Readers, Writer};
use super::{audit, schema};

/// How the store works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many writes share one commit at most.
    pub group: usize,
    /// How many connections there are to PostgreSQL.
    pub connections: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            group: 256,
            connections: 8,
        }
    }
}

/// The database.
#[derive(Debug)]
pub struct Store {
    database: Database,
    counters: Arc<Counters>,
    way: Way,
}

/// How work gets to a connection.
#[derive(Debug)]
enum Way {
    /// One thread writes; whoever reads does it on a connection of its own.
    File(Writer, Readers),
    /// One thread does everything.
    Memory(Writer),
    /// Several threads do everything.
    Postgres(Pool),
}

impl Store {
    /// Opens the database, making it and its tables when they are not there.
    pub fn open(database: &Database, settings: Settings) -> Result<Self, StoreError> {
        let counters = Arc::new(Counters::default());
        let writer = |connection: Connection| {
            connection.batch("BEGIN IMMEDIATE")?;
            schema::prepare(&connection, &sqlite::in_memory()?)?;
            connection.batch("COMMIT")?;
            Writer::start(connection, settings.group.max(1), Arc::clone(&counters))
        };
        let way = match database {
            Database::File(path) => {
                Way::File(writer(sqlite::for_writing(path)?)?, Readers::new(path))
            }
            Database::Memory => Way::Memory(writer(sqlite::in_memory()?)?),
            Database::Postgres(config) => {
                let address = config.clone();
                aside(move || prepare(&address))?;
                let (connections, group) = (settings.connections.max(1), settings.group.max(1));
                Way::Postgres(Pool::start(config, connections, group, &counters)?)
            }
        };
        Ok(Self {
            database: database.clone(),
            counters,
            way,
        })
    }

    /// Which database it is.
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// How much was written.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How much work waits for a connection.
    pub fn waiting(&self) -> usize {
        match &self.way {
            Way::File(writer, _) | Way::Memory(writer) => writer.waiting(),
            Way::Postgres(pool) => pool.waiting(),
        }
    }

    /// Runs `work` in a transaction of its own and answers once its result is on the disk.
    ///
    /// When `work` fails, nothing of what it did remains. It may be run again, when somebody else
    /// was faster.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Conflict + Send + 'static,
    {
        let (job, answer) = job(false, work);
        self.send(job).await?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    /// Runs `work` on one consistent state of the database; it cannot change anything.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Conflict + Send + 'static,
    {
        if let Way::File(_, readers) = &self.way {
            return readers.read(work);
        }
        let (job, answer) = job(true, work);
        self.send(job).await?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    async fn send(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        match &self.way {
            Way::File(writer, _) | Way::Memory(writer) => writer.send(job).await,
            Way::Postgres(pool) => pool.send(job).await,
        }
    }
}

/// Audits a database and writes nothing to it.
///
/// # Errors
/// It cannot be read, or is no database of this program.
pub fn audit_database(database: &Database) -> Result<Vec<audit::Finding>, StoreError> {
    let connection = match database {
        Database::File(path) => sqlite::for_reading(path)?,
        Database::Memory => sqlite::in_memory()?,
        Database::Postgres(config) => {
            let config = config.clone();
            return aside(move || {
                let session = Session::connect(&config)?;
                session.batch("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")?;
                checked(&Connection(Engine::Postgres(Box::new(session))))
            });
        }
    };
    checked(&connection)
}

fn checked(connection: &Connection) -> Result<Vec<audit::Finding>, StoreError> {
    schema::recognise_present(connection)?;
    audit::audit(connection)
}

/// Works on a thread of its own: a client of PostgreSQL that waits must not do so on one that
/// serves.
fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    std::thread::spawn(work)
        .join()
        .unwrap_or(Err(StoreError::Panicked))
}

/// Creates or migrates the tables. When several programs start at once, an advisory lock lets one do it.
fn prepare(config: &tokio_postgres::Config) -> Result<(), StoreError> {
    let connection = Connection(Engine::Postgres(Box::new(Session::connect(config)?)));
    connection.batch(
        "BEGIN; SELECT pg_advisory_xact_lock(1446, 0); CREATE SCHEMA IF NOT EXISTS sandbox;
         SET LOCAL statement_timeout = 0",
    )?;
    schema::prepare(&connection, &sqlite::in_memory()?)?;
    connection.batch("COMMIT")
}
