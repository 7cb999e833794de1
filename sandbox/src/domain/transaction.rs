//! The state of a purchase, refund or payout, and the steps that all three share.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::authentication::Authentication;
use super::ledger::Entry;
use super::money::Money;
use super::outcome::{Final, Outcome, RejectCode};
use super::rejection::{Code, Rejection};
use super::state::{self, Event, Kind, Status};

/// The state of a transaction. Descriptive fields, which decide nothing, are stored elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction {
    /// The service's id.
    pub id: Uuid,
    /// Purchase, refund or payout.
    pub kind: Kind,
    /// The purchase that a refund belongs to.
    pub parent: Option<Uuid>,
    /// The subscription that a purchase begins or pays for.
    pub subscription: Option<Uuid>,
    /// The merchant's id, unique within its collection.
    pub merchant_transaction_id: String,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The status.
    pub status: Status,
    /// The requested amount.
    pub money: Money,
    /// Whether the money is held first and captured later.
    pub two_step: bool,
    /// Minor units of a capture that waits for its result.
    pub capturing: Option<i64>,
    /// Minor units that were captured.
    pub captured: i64,
    /// Minor units reserved for the active refund.
    pub refunding: i64,
    /// Minor units that were refunded.
    pub refunded: i64,
    /// The number of authorization attempts.
    pub attempts: u32,
    /// The customer's authentication in the present attempt.
    pub authentication: Option<Authentication>,
    /// The code of the provider's refusal.
    pub decline: Option<RejectCode>,
    /// The result that arrives at a later time by itself.
    pub due: Option<Due>,
    /// Outcomes that the merchant requested in advance.
    pub planned: Planned,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub modified_at: Timestamp,
}

/// A result that arrives by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// When it arrives.
    pub at: Timestamp,
    /// The result.
    pub then: Final,
}

/// Outcomes of later calls, requested when the transaction was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// For its capture.
    pub capture: Option<Outcome>,
    /// For its refunds.
    pub refund: Option<Outcome>,
    /// For a renewed authorization.
    pub renew: Option<Outcome>,
}

/// The result of a command on one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The new state.
    pub transaction: Transaction,
    /// The ledger entries.
    pub entries: Vec<Entry>,
}

impl Transaction {
    /// A new pending transaction.
    pub fn pending(
        id: Uuid,
        kind: Kind,
        merchant_transaction_id: String,
        money: Money,
        now: Timestamp,
    ) -> Self {
        Self {
            id,
            kind,
            parent: None,
            subscription: None,
            merchant_transaction_id,
            origin_merchant_transaction_id: None,
            payment_channel: None,
            status: Status::Pending,
            money,
            two_step: false,
            capturing: None,
            captured: 0,
            refunding: 0,
            refunded: 0,
            attempts: 1,
            authentication: None,
            decline: None,
            due: None,
            planned: Planned::default(),
            created_at: now,
            modified_at: now,
        }
    }

    /// Applies an event of the state table and cancels the planned result.
    pub(super) fn advance(&mut self, event: Event, now: Timestamp) -> Result<(), Rejection> {
        self.status = self.after(event)?;
        self.due = None;
        self.modified_at = now;
        Ok(())
    }

    /// The status after an event.
    pub(super) fn after(&self, event: Event) -> Result<Status, Rejection> {
        state::next(self.kind, self.status, event).ok_or_else(|| {
            let (status, done) = (self.status.wire(), event.done());
            Rejection::new(
                Code::IllegalState,
                format!("a transaction that is {status} cannot be {done}"),
            )
        })
    }

    /// Plans a result that arrives after a delay.
    pub(super) fn schedule_result(&mut self, after: SignedDuration, then: Final, now: Timestamp) {
        let at = now.checked_add(after).unwrap_or(Timestamp::MAX);
        self.due = Some(Due { at, then });
    }

    /// Records the provider's refusal.
    pub(super) fn refuse(&mut self, code: RejectCode, now: Timestamp) -> Result<(), Rejection> {
        self.advance(Event::Reject, now)?;
        self.decline = Some(code);
        Ok(())
    }
}

/// Refuses outcomes that need a customer, for calls without one.
pub(super) fn require_no_customer(outcome: &Outcome) -> Result<(), Rejection> {
    if outcome.needs_customer() {
        let detail = "the outcomes `3ds` and `frictionless` exist for authorizations alone";
        return Err(Rejection::new(Code::ContractViolation, detail));
    }
    Ok(())
}

/// Refuses outcomes that a refund cannot have: it does not expire, and it has no customer to ask.
pub(super) fn check_refund_outcome(outcome: &Outcome) -> Result<(), Rejection> {
    require_no_customer(outcome)?;
    if let Outcome::Now(Final::Expire)
    | Outcome::Later {
        then: Final::Expire,
        ..
    } = outcome
    {
        let kind = Kind::Refund.wire();
        let detail = format!("the outcome `expire` does not exist for {kind}");
        return Err(Rejection::new(Code::ContractViolation, detail));
    }
    Ok(())
}
