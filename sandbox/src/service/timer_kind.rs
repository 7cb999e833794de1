//! The kinds of timers.

use super::Failure;
use crate::store::StoreError;
use crate::store::timers::Timer;

/// The kind of a timer's subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Charges or ends a subscription; the subject is its id.
    Subscription,
    /// Expires a payment link; the subject is its id.
    PaymentLink,
    /// Creates the file of a report; the subject is its id.
    Report,
    /// Applies the delayed result of a transaction; the subject is its id.
    Transaction,
    /// Makes a notification ready to send; the subject is its id.
    Notification,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Subscription,
        Self::PaymentLink,
        Self::Report,
        Self::Transaction,
        Self::Notification,
    ];

    /// The name of the kind in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Subscription => "subscription",
            Self::PaymentLink => "payment_link",
            Self::Report => "report",
            Self::Transaction => "transaction",
            Self::Notification => "notification",
        }
    }

    pub(super) fn of(timer: &Timer) -> Result<Self, Failure> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == timer.kind);
        Ok(kind.ok_or(StoreError::Corrupt("timer"))?)
    }
}
