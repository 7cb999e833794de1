//! Load, decide, write: one database transaction for each command.
//!
//! The decisions are the domain's. What is here puts them together with the store, and knows
//! nothing of HTTP.

mod advancing;
mod apply;
mod books;
pub mod calculations;
mod caller;
mod cancellations;
pub mod card_entries;
pub mod card_use;
pub mod cards;
mod charges;
pub mod clock;
mod customer;
mod customers;
mod deliveries;
mod failure;
pub mod instant_recipients;
pub mod merchants;
mod notifications;
mod outcome;
pub mod overview;
mod owned;
pub mod payment_links;
pub mod payment_methods;
mod payment_tokens;
pub mod payouts;
mod plans;
mod products;
pub mod purchases;
pub mod redirect_page;
mod redirects;
pub mod refunds;
pub mod reports;
pub mod saved_cards;
pub mod scenarios;
mod settle;
pub mod snapshots;
mod submission;
mod subscription_payments;
pub mod subscriptions;
mod target;
pub mod timer_kind;
mod timers;
mod view_loading;
mod work;

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use tokio::sync::{Notify, RwLock};
use uuid::Uuid;

use crate::clock::Clock;
use crate::domain::card::Taken;
use crate::egress::Policy;
use crate::metrics::Metrics;
use crate::render::View;
use crate::store::{self, Merchant, Secret, Store, StoreError, tenants};

use advancing::Advancing;

pub use books::Books;
pub use caller::{Caller, CommandKey};
pub use customer::Customer;
pub use deliveries::Parcel;
pub use failure::Failure;
pub use notifications::Told;
pub use outcome::Wishes;
pub use owned::Owned;
pub use submission::{Answer, Submission};
pub use target::Target;
pub use work::Work;

/// The address as long as none is known.
const UNANNOUNCED: &str = "http://127.0.0.1:8080";

/// The commands, the database they work on, and the clock they go by.
#[derive(Debug)]
pub struct Service {
    store: Store,
    machine: Arc<dyn Clock>,
    fingerprints: Secret,
    credentials: Secret,
    /// The key of the hashes by which cards are recognised.
    cards: Secret,
    taken: Taken,
    /// Where notifications may go.
    policy: Policy,
    /// Where customers can reach the sandbox, once that is known.
    address: OnceLock<Arc<str>>,
    metrics: Metrics,
    /// Rung when something is to happen by itself that was not before.
    alarm: Notify,
    advancing: Advancing,
    /// Held for reading by whoever copies records, for writing by whoever removes those that nobody has.
    copies: RwLock<()>,
    /// Rung when there is something to send.
    announced: Notify,
}

impl Service {
    /// Commands on a database.
    pub async fn new(
        store: Store,
        machine: Arc<dyn Clock>,
        policy: Policy,
    ) -> Result<Self, StoreError> {
        let fresh = [random(), random(), random()];
        let (fingerprints, credentials, cards) = store
            .write(move |connection| {
                let fingerprints = store::load_secret(connection, "fingerprints", &fresh[0])?;
                let credentials = store::load_secret(connection, "credentials", &fresh[1])?;
                let cards = store::load_secret(connection, "cards", &fresh[2])?;
                Ok::<_, StoreError>((fingerprints, credentials, cards))
            })
            .await?;
        Ok(Self {
            store,
            machine,
            fingerprints,
            credentials,
            cards,
            taken: Taken::default(),
            policy,
            address: OnceLock::new(),
            metrics: Metrics::new(),
            alarm: Notify::new(),
            advancing: Advancing::default(),
            copies: RwLock::default(),
            announced: Notify::new(),
        })
    }

    /// The same commands, which take these cards.
    #[must_use]
    pub fn taking(self, taken: Taken) -> Self {
        Self { taken, ..self }
    }

    /// What is counted.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The database.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// Where notifications may go.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Waits until there is something to send.
    pub async fn announced(&self) {
        self.announced.notified().await;
    }

    /// Makes known where customers can reach the sandbox; the first that is told counts.
    pub fn announce(&self, address: &str) {
        // Told once, when serving begins: a second time it is the same.
        let _ = self.address.set(address.trim_end_matches('/').into());
    }

    /// Where customers can reach the sandbox.
    pub fn address(&self) -> Arc<str> {
        let address = self.address.get().cloned();
        address.unwrap_or_else(|| UNANNOUNCED.into())
    }

    /// The time of the machine, which is that of a merchant who has not moved the clock.
    pub fn machine_time(&self) -> Timestamp {
        self.machine.now()
    }

    /// The keyed hash by which a repeated body is recognised.
    pub fn fingerprint(&self, body: &[u8]) -> Result<[u8; 32], StoreError> {
        self.fingerprints.hash(&[body])
    }

    const fn card_secret(&self) -> &Secret {
        &self.cards
    }

    pub(crate) const fn taken_cards(&self) -> Taken {
        self.taken
    }

    /// Runs a command of a merchant in a database transaction of its own.
    ///
    /// It is kept wholly or not at all. It may run again when somebody else was faster, and so it
    /// takes ids, times and chance from outside.
    pub async fn command<T: Send + 'static>(
        &self,
        merchant: Merchant,
        run: impl Fn(&Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let machine = self.machine_time();
        let address = self.address();
        let (value, arranged, announced) = self
            .store
            .write(move |connection| {
                let present = tenants::present_for_command(connection, merchant)?;
                let work = Work::begin(connection, merchant, present, machine, &address)?;
                let value = run(&work)?;
                Ok::<_, Failure>((value, work.arranged.get().is_some(), work.announced.get()))
            })
            .await?;
        if arranged {
            self.alarm.notify_one();
        }
        if announced {
            self.announced.notify_one();
        }
        Ok(value)
    }

    /// Reads records of a merchant as they are at one moment. Changes nothing.
    pub async fn read<T: Send + 'static>(
        &self,
        merchant: Merchant,
        run: impl Fn(&Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let machine = self.machine_time();
        let address = self.address();
        self.store
            .read(move |connection| {
                let present = tenants::present(connection, merchant)?;
                let work = Work::begin(connection, merchant, present, machine, &address)?;
                run(&work)
            })
            .await
    }

    /// One transaction of the merchant, as it is now.
    pub async fn find(
        &self,
        merchant: Merchant,
        collection: store::Collection,
        target: Target,
    ) -> Result<View, Failure> {
        self.read(merchant, move |work| {
            let record = target.load(work, collection)?;
            View::load(work, record)
        })
        .await
    }
}

/// Random bytes for a key: the 244 random bits of two random ids.
pub(crate) fn random() -> Vec<u8> {
    [Uuid::new_v4(), Uuid::new_v4()]
        .iter()
        .flat_map(|id| *id.as_bytes())
        .collect()
}
