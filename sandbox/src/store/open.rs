//! Opens a database and runs work on it.

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use super::connection::{Connection, Engine};
use super::counters::Counters;
use super::database::Database;
use super::engine::Session;
use super::error::{Conflict, StoreError};
use super::flush::Flush;
use super::job::{Job, job};
use super::postgres::Pool;
use super::sqlite::{self, Readers, Writer};
use super::{Tenant, audit, copy, schema, tenants};

/// The number of parts of a copy that are read ahead.
const WAITING: usize = 2;

/// The settings of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most writes that share one commit.
    pub group: usize,
    /// The number of connections to PostgreSQL.
    pub connections: usize,
    /// When a commit is acknowledged.
    pub flush: Flush,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            group: 256,
            connections: 8,
            flush: Flush::EachCommit,
        }
    }
}

/// An open database.
#[derive(Debug)]
pub struct Store {
    database: Database,
    counters: Arc<Counters>,
    workers: Workers,
}

/// The threads and connections that do the work.
#[derive(Debug)]
enum Workers {
    /// One thread writes; each reader uses a separate connection.
    File(Writer, Arc<Readers>),
    /// One thread reads and writes.
    Memory(Writer),
    /// Several threads read and write.
    Postgres(Pool),
}

impl Store {
    /// Opens the database; creates it and its tables when they are missing.
    pub fn open(database: &Database, settings: Settings) -> Result<Self, StoreError> {
        let counters = Arc::new(Counters::default());
        let writer = |connection: Connection| {
            connection.batch("BEGIN IMMEDIATE")?;
            schema::prepare(&connection, &sqlite::in_memory()?)?;
            connection.batch("COMMIT")?;
            Writer::start(connection, settings.group.max(1), Arc::clone(&counters))
        };
        let workers = match database {
            Database::File(path) => Workers::File(
                writer(sqlite::for_writing(path, settings.flush)?)?,
                Arc::new(Readers::new(path)),
            ),
            Database::Memory => Workers::Memory(writer(sqlite::in_memory()?)?),
            Database::Postgres(config) => {
                let address = config.clone();
                on_new_thread(move || prepare(&address))?;
                let (connections, group) = (settings.connections.max(1), settings.group.max(1));
                Workers::Postgres(Pool::start(
                    config,
                    connections,
                    group,
                    settings.flush,
                    &counters,
                )?)
            }
        };
        Ok(Self {
            database: database.clone(),
            counters,
            workers,
        })
    }

    /// The database that is open.
    pub const fn database(&self) -> &Database {
        &self.database
    }

    /// The counts of commits and writes.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The number of jobs that wait for a connection.
    pub fn waiting(&self) -> usize {
        match &self.workers {
            Workers::File(writer, _) | Workers::Memory(writer) => writer.waiting(),
            Workers::Postgres(pool) => pool.waiting(),
        }
    }

    /// Runs `work` in a transaction and returns once its result is on disk.
    ///
    /// When `work` fails, all its writes are rolled back. After a conflict with another write, it
    /// runs again.
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

    /// Runs `work` on a consistent snapshot of the database; it cannot write.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: Fn(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Conflict + Send + 'static,
    {
        if let Workers::File(_, readers) = &self.workers {
            return readers.read(work);
        }
        let (job, answer) = job(true, work);
        self.send(job).await?;
        answer
            .await
            .unwrap_or_else(|_| Err(StoreError::Closed.into()))
    }

    /// Copies the records of the tenant that `from` returns to a new tenant, as a consistent
    /// snapshot; `None` when `from` finds no tenant.
    ///
    /// Other writes continue meanwhile. The new tenant is a retired one until a merchant or a
    /// snapshot refers to it.
    pub async fn copy<E>(
        &self,
        now: Timestamp,
        from: impl Fn(&Connection) -> Result<Option<Tenant>, E> + Send + Clone + 'static,
    ) -> Result<Option<Tenant>, E>
    where
        E: From<StoreError> + Conflict + Send + 'static,
    {
        let Workers::File(_, readers) = &self.workers else {
            let copy_all = move |connection: &Connection| {
                connection.use_snapshot()?;
                let found = from(connection)?;
                let copied = found.map(|found| copy::copy_all(connection, found, now));
                Ok(copied.transpose()?)
            };
            return self.write(copy_all).await;
        };
        self.copy_in_parts(Arc::clone(readers), now, from).await
    }

    async fn copy_in_parts<E>(
        &self,
        readers: Arc<Readers>,
        now: Timestamp,
        from: impl Fn(&Connection) -> Result<Option<Tenant>, E> + Send + 'static,
    ) -> Result<Option<Tenant>, E>
    where
        E: From<StoreError> + Conflict + Send + 'static,
    {
        let (parts, mut read) = mpsc::channel(WAITING);
        let (begun, beginning) = oneshot::channel();
        let reading = tokio::task::spawn_blocking(move || {
            readers.read(|connection| {
                let found = from(connection)?;
                // The receiver is gone when the copy was abandoned.
                let _ = begun.send(found);
                let sent = found.map(|found| copy::read(connection, found, &parts));
                Ok::<_, E>(sent.transpose()?.is_some())
            })
        });
        let Ok(Some(found)) = beginning.await else {
            let ended = reading.await.map_err(|_| StoreError::Panicked)?;
            return ended.map(|_| None);
        };
        let empty =
            move |connection: &Connection| Ok::<_, E>(copy::empty_copy(connection, found, now)?);
        let to = self.write(empty).await?;
        while let Some(part) = read.recv().await {
            self.write(move |connection| Ok::<_, E>(part.write(connection, to)?))
                .await?;
        }
        reading.await.map_err(|_| StoreError::Panicked)??;
        Ok(Some(to))
    }

    /// Removes every row of a retired tenant. Other writes continue meanwhile.
    pub async fn remove(&self, tenant: Tenant) -> Result<(), StoreError> {
        if let Workers::File(..) = &self.workers {
            let part = move |connection: &Connection| copy::remove_part(connection, tenant);
            while self.write(part).await? {}
        }
        self.write(move |connection| tenants::remove(connection, tenant))
            .await
    }

    async fn send(&self, job: Box<dyn Job>) -> Result<(), StoreError> {
        match &self.workers {
            Workers::File(writer, _) | Workers::Memory(writer) => writer.send(job).await,
            Workers::Postgres(pool) => pool.send(job).await,
        }
    }
}

/// Audits a database without writing to it.
///
/// # Errors
/// The database cannot be read, or another program created it.
pub fn audit_database(database: &Database) -> Result<Vec<audit::Finding>, StoreError> {
    let connection = match database {
        Database::File(path) => sqlite::for_reading(path)?,
        Database::Memory => sqlite::in_memory()?,
        Database::Postgres(config) => {
            let config = config.clone();
            return on_new_thread(move || {
                let session = Session::connect(&config, Flush::EachCommit)?;
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

/// Runs `work` on a new thread, because the PostgreSQL client must not block a thread of the
/// server.
fn on_new_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    std::thread::spawn(work)
        .join()
        .unwrap_or(Err(StoreError::Panicked))
}

/// Creates or migrates the tables. When several programs start at once, an advisory lock lets one do it.
fn prepare(config: &tokio_postgres::Config) -> Result<(), StoreError> {
    let connection = Connection(Engine::Postgres(Box::new(Session::connect(
        config,
        Flush::EachCommit,
    )?)));
    connection.batch(
        "BEGIN; SELECT pg_advisory_xact_lock(1446, 0); CREATE SCHEMA IF NOT EXISTS sandbox;
         SET LOCAL statement_timeout = 0",
    )?;
    schema::prepare(&connection, &sqlite::in_memory()?)?;
    connection.batch("COMMIT")
}
