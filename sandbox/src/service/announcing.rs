//! How transactions are told of.

use jiff::Timestamp;

use super::View;
use crate::store::StoreError;

/// How transactions are told of, which is not for the service to know.
#[derive(Clone, Copy, Debug)]
pub struct Announcing {
    /// The receiver that a transaction's descriptive fields name.
    pub receiver: fn(details: &str) -> Result<Option<String>, StoreError>,
    /// The body of a notification.
    pub body: fn(&Notice<'_>) -> Result<String, StoreError>,
}

/// A change of a transaction.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// What has happened.
    pub event: &'a str,
    /// When.
    pub at: Timestamp,
    /// Its number among the changes of the transaction.
    pub sequence: i64,
    /// The transaction right after it.
    pub view: &'a View,
}
