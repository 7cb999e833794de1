//! Runs commands: load, decide and write, in one database transaction each.
//!
//! The domain decides. This module connects it with the store and knows nothing of HTTP.

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
use crate::domain::card::AcceptedCards;
use crate::egress::Policy;
use crate::metrics::Metrics;
use crate::render::View;
use crate::store::{self, Merchant, Secret, Store, StoreError, tenants};

use advancing::Advancing;

pub use books::Books;
pub use caller::{Caller, CommandKey};
pub use customer::Customer;
pub use deliveries::LeasedDelivery;
pub use failure::Failure;
pub use notifications::NotificationHistory;
pub use outcome::RequestedOutcomes;
pub use owned::Owned;
pub use submission::{Answer, Submission};
pub use target::Target;
pub use work::Work;

/// The address until the server announces its address.
const DEFAULT_ADDRESS: &str = "http://127.0.0.1:8080";

/// Runs commands on a database, with a clock and a policy for outgoing connections.
#[derive(Debug)]
pub struct Service {
    store: Store,
    machine: Arc<dyn Clock>,
    fingerprints: Secret,
    credentials: Secret,
    /// The key of the hashes that identify cards.
    cards: Secret,
    accepted_cards: AcceptedCards,
    /// The addresses that notifications may be sent to.
    policy: Policy,
    /// The address at which customers can reach the sandbox, once it is known.
    address: OnceLock<Arc<str>>,
    metrics: Metrics,
    /// Notified when a timer was set.
    alarm: Notify,
    advancing: Advancing,
    /// Locked for reading while records are copied, and for writing while retired tenants are
    /// removed.
    copies: RwLock<()>,
    /// Notified when a notification is ready to send.
    announced: Notify,
}

impl Service {
    /// Creates a service on a database.
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
            accepted_cards: AcceptedCards::default(),
            policy,
            address: OnceLock::new(),
            metrics: Metrics::new(),
            alarm: Notify::new(),
            advancing: Advancing::default(),
            copies: RwLock::default(),
            announced: Notify::new(),
        })
    }

    /// The same service, with another set of accepted cards.
    #[must_use]
    pub fn accepting(self, accepted_cards: AcceptedCards) -> Self {
        Self {
            accepted_cards,
            ..self
        }
    }

    /// The metrics.
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The database.
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The addresses that notifications may be sent to.
    pub const fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Waits until a notification is ready to send.
    pub async fn announced(&self) {
        self.announced.notified().await;
    }

    /// Sets the address at which customers can reach the sandbox; only the first call has an
    /// effect.
    pub fn announce(&self, address: &str) {
        // The server calls this once, when it starts.
        let _ = self.address.set(address.trim_end_matches('/').into());
    }

    /// The address at which customers can reach the sandbox.
    pub fn address(&self) -> Arc<str> {
        let address = self.address.get().cloned();
        address.unwrap_or_else(|| DEFAULT_ADDRESS.into())
    }

    /// The machine's time, which is also the time of merchants whose clock was not moved.
    pub fn machine_time(&self) -> Timestamp {
        self.machine.now()
    }

    /// The keyed hash that identifies a repeated body.
    pub fn fingerprint(&self, body: &[u8]) -> Result<[u8; 32], StoreError> {
        self.fingerprints.hash(&[body])
    }

    const fn card_secret(&self) -> &Secret {
        &self.cards
    }

    pub(crate) const fn accepted_cards(&self) -> AcceptedCards {
        self.accepted_cards
    }

    /// Runs a command of a merchant in a database transaction.
    ///
    /// It commits completely or not at all. It may run again after a conflict, so the caller passes
    /// ids, times and random numbers as captured values.
    pub async fn command<T: Send + 'static>(
        &self,
        merchant: Merchant,
        run: impl Fn(&Work<'_>) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let machine = self.machine_time();
        let address = self.address();
        let (value, is_timer_set, announced) = self
            .store
            .write(move |connection| {
                let present = tenants::present_for_command(connection, merchant)?;
                let work = Work::begin(connection, merchant, present, machine, &address)?;
                let value = run(&work)?;
                Ok::<_, Failure>((
                    value,
                    work.earliest_timer.get().is_some(),
                    work.announced.get(),
                ))
            })
            .await?;
        if is_timer_set {
            self.alarm.notify_one();
        }
        if announced {
            self.announced.notify_one();
        }
        Ok(value)
    }

    /// Reads a merchant's records from a consistent snapshot, without changes.
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

    /// A transaction of the merchant.
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

/// Random bytes for a key: 244 random bits from two random ids.
pub(crate) fn random() -> Vec<u8> {
    [Uuid::new_v4(), Uuid::new_v4()]
        .iter()
        .flat_map(|id| *id.as_bytes())
        .collect()
}
