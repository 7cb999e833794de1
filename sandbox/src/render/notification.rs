//! Renders notifications.

use jiff::Timestamp;
use merchant_payments::models;

use super::{View, subscription, transaction};
use crate::store::{StoreError, subscriptions};

/// A change of a transaction or a subscription.
#[derive(Clone, Copy, Debug)]
pub struct Notice<'a> {
    /// The name of the event.
    pub event: &'a str,
    /// When it happened.
    pub at: Timestamp,
    /// Its number among the notifications about the transaction.
    pub sequence: i64,
    /// The transaction after the change.
    pub view: &'a View,
    /// For a change of a subscription: the subscription after the change, with the merchant's name.
    pub subscription: Option<(&'a subscriptions::Record, &'a str)>,
}

/// The signed body.
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
