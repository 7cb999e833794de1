//! What is kept, in SQLite or in PostgreSQL, by statements that are written once.
//!
//! Invariant: whatever [`Store::write`] has answered is on the disk.

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

/// A merchant, whom credentials stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Merchant(pub i64);

/// One state of a merchant's records, which every row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tenant(pub i64);

/// How a record that is read is kept from being changed by others while the command lasts. Matters
/// where several connections write; reads hold nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Not at all.
    Nothing,
    /// Nobody changes it.
    AsItIs,
    /// Nobody else changes it or relies on it.
    ToChange,
}

impl Hold {
    /// What is added to the query.
    const fn sql(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::AsItIs => " FOR SHARE",
            Self::ToChange => " FOR NO KEY UPDATE",
        }
    }
}
