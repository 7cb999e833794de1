//! The kinds of things that happen by themselves.

use super::Failure;
use crate::store::StoreError;
use crate::store::timers::Timer;

/// What kind of thing something happens to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A subscription that is charged or ends; the subject is its id.
    Subscription,
    /// A payment link whose time runs out; the subject is its id.
    PaymentLink,
    /// A report whose file is made; the subject is its id.
    Report,
    /// A transaction whose ending comes; the subject is its id.
    Transaction,
    /// A notification that is to be sent; the subject is its id.
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

    /// The name under which timers of the kind are stored.
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
