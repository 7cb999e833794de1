//! Stores all records in SQLite or PostgreSQL; both run the same statements.
//!
//! Invariant: when [`Store::write`] returns, the result is on disk.

mod connection;
mod copy;
mod counters;
mod database;
mod details;
mod engine;
mod error;
mod flush;
mod job;
mod open;
mod postgres;
mod present;
mod schema;
mod sqlite;
mod value;

mod answers;
mod attempts;
pub mod audit;
pub mod card_entries;
pub mod cards;
pub mod channels_used;
mod credentials;
pub mod customers;
pub mod deliveries;
pub mod instant_recipients;
mod ledger;
pub mod notification_faults;
pub mod notifications;
mod offers;
pub mod page;
pub mod payment_links;
pub mod payment_tokens;
pub mod plans;
pub mod presented_cards;
pub mod products;
pub mod quotes;
pub mod reports;
pub mod scenarios;
mod secrets;
pub mod signing_secrets;
pub mod snapshots;
pub mod subscriptions;
pub mod tenants;
pub mod timers;
mod transactions;

pub use answers::{Key, Stored, find as find_answer, insert as insert_answer};
pub use attempts::keep as keep_attempt;
pub use connection::Connection;
pub use counters::Counters;
pub use credentials::{Credential, find as find_credential, set as set_credential};
pub use customers::{CustomerRecord, add as add_customer, has as has_customer};
pub use database::{Database, DatabaseError};
pub use deliveries::{Attempt, Delivery};
pub use engine::Row;
pub use error::{Conflict, StoreError};
pub use flush::Flush;
pub use ledger::{Posted, available, balances, entries, open as open_balance, post};
pub use notifications::Notification;
pub use offers::{of as offers_of, replace as replace_offers, select as select_offer};
pub use open::{Settings as StoreSettings, Store, audit_database};
pub use page::{Sorted, fields as sortable};
pub use secrets::{Secret, load as load_secret, rewrite as rewrite_secrets};
pub use sqlite::{DURABLE, Settings, settings};
pub use transactions::{
    Collection, Record, by_merchant_id, by_page, find, find_in_any, insert,
    latest as latest_transactions, refunds_of, update,
};
pub use value::{Column, Raw, Value};

/// A merchant. Credentials belong to a merchant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Merchant(pub i64);

/// One set of a merchant's records; every row belongs to a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(pub i64);

/// How a query locks the record that it reads until the end of the transaction. It matters on
/// PostgreSQL, where several connections write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// No lock.
    Nothing,
    /// Other connections cannot change the record.
    AsItIs,
    /// Other connections can neither change the record nor lock it.
    ToChange,
}

impl Hold {
    /// The clause at the end of the query.
    const fn sql(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::AsItIs => " FOR SHARE",
            Self::ToChange => " FOR NO KEY UPDATE",
        }
    }
}
