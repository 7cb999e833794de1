//! Load, decide, write: one database transaction for each command.
//!
//! The decisions are the domain's. What is here puts them together with the store, and knows
//! nothing of HTTP.

mod apply;
mod customer;
mod failure;
pub mod payouts;
pub mod purchases;
pub mod refunds;
mod settle;
mod submission;
mod target;
mod view;

use std::sync::Arc;

use jiff::Timestamp;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::clock::Clock;
use crate::store::{self, Secret, Store, StoreError, Tenant};

pub use customer::Customer;
pub use failure::Failure;
pub use submission::{Answer, Render, Submission};
pub use target::Target;
pub use view::View;

/// The commands, the database they work on, and the clock they go by.
#[derive(Debug)]
pub struct Service {
    store: Store,
    clock: Arc<dyn Clock>,
    fingerprints: Secret,
    /// Rung when something becomes due that was not before.
    alarm: Notify,
}

impl Service {
    /// Commands on a database.
    pub async fn new(store: Store, clock: Arc<dyn Clock>) -> Result<Self, StoreError> {
        let fresh = random();
        let fingerprints = store
            .write(move |connection| store::load_secret(connection, "fingerprints", &fresh))
            .await?;
        Ok(Self {
            store,
            clock,
            fingerprints,
            alarm: Notify::new(),
        })
    }

    /// The database.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The present time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The keyed hash by which a repeated body is recognised.
    pub fn fingerprint(&self, body: &[u8]) -> Result<[u8; 32], StoreError> {
        self.fingerprints.hash(&[body])
    }

    /// Runs a command in a transaction of its own and wakes the timer when it left something due.
    async fn command<T: Send + 'static>(
        &self,
        work: impl FnOnce(&rusqlite::Connection) -> Result<Written<T>, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let written = self.store.write(work).await?;
        if written.due {
            self.alarm.notify_one();
        }
        Ok(written.value)
    }

    /// One transaction of the tenant, as it is now. Changes nothing.
    pub fn find(
        &self,
        tenant: Tenant,
        collection: store::Collection,
        target: &Target,
    ) -> Result<View, Failure> {
        let now = self.now();
        self.store.read(|connection| {
            let record = target.load(connection, tenant, collection)?;
            View::load(connection, record, now)
        })
    }
}

/// What a command answers, and whether it left something due.
struct Written<T> {
    value: T,
    due: bool,
}

/// Random bytes for a key: the 244 random bits of two random ids.
pub(crate) fn random() -> Vec<u8> {
    [Uuid::new_v4(), Uuid::new_v4()]
        .iter()
        .flat_map(|id| *id.as_bytes())
        .collect()
}
