//! A notification in the models of the contract.

use jiff::Timestamp;
use merchant_payments::models;

use super::{View, subscription, transaction};
use crate::store::{StoreError, subscriptions};

/// A change of a transaction or a subscription.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// What has happened.
    pub event: &'a str,
    /// When.
    pub at: Timestamp,
    /// Its number among the notifications about the transaction.
    pub sequence: i64,
    /// The transaction right after it.
    pub view: &'a View,
    /// The subscription right after it, with the merchant's name, where it is one of a subscription.
    pub subscription: Option<(&'a subscriptions::Record, &'a str)>,
}

/// The body that is sent and signed.
pub fn text(notice: &Notice<'_>) -> Result<String, StoreError> {
    let notification = models::Notification {
        r#type: notice.event.into(),
        timestamp: notice.at.into(),
        sequence: notice.sequence,
        data: transaction::model(notice.view),
        subscription: { notice.subscription }
            .map(|(record, merchant)| subscription::model(record, merchant)),
    };
    serde_json::to_string(&notification).map_err(|_| StoreError::Corrupt("notification"))
}
