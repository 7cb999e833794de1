//! What is kept, in SQLite: one writing connection, several reading ones.
//!
//! Invariant: whatever [`Store::write`] has answered is on the disk.

mod answers;
pub mod audit;
mod connection;
mod credentials;
mod customers;
mod error;
mod ledger;
mod migrations;
mod offers;
mod readers;
mod secrets;
mod transactions;
mod writer;

use std::path::{Path, PathBuf};

use rusqlite::Connection;

pub use answers::{Stored, find as find_answer, insert as insert_answer};
pub use connection::{DURABLE, Settings, settings};
pub use credentials::{Credential, all as credentials, set as set_credential, tenant};
pub use customers::{add as add_customer, has as has_customer};
pub use error::StoreError;
pub use ledger::{available, open as open_balance, post};
pub use offers::{of as offers_of, replace as replace_offers, select as select_offer};
pub use secrets::{Secret, load as load_secret};
pub use transactions::{
    Collection, Record, by_merchant_id, due, find, insert, next_due, refunds_of, update,
};

/// The merchant that a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(pub i64);

/// The database.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    writer: writer::Writer,
    readers: readers::Readers,
}

impl Store {
    /// Opens the database file, creating it and bringing its tables up to date when needed.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = connection::open_for_writing(path)?;
        migrations::run(&mut connection)?;
        Ok(Self {
            path: path.to_owned(),
            writer: writer::Writer::start(connection)?,
            readers: readers::Readers::new(path),
        })
    }

    /// The database file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` in a transaction of its own and answers once its result is on the disk.
    ///
    /// When `work` fails, nothing of what it did remains.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnOnce(&Connection) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.writer.write(work).await
    }

    /// Runs `work` on one consistent state of the database; it cannot change anything.
    pub fn read<T, E>(&self, work: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, E>
    where
        E: From<StoreError>,
    {
        self.readers.read(work)
    }
}
