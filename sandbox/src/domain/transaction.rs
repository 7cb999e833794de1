//! One purchase, refund or payout, and the small steps that all three share.

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::authentication::Authentication;
use super::ledger::Entry;
use super::money::Money;
use super::outcome::{Final, Outcome, RejectCode};
use super::rejection::{Code, Rejection};
use super::state::{self, Event, Kind, Status};

/// The state of a transaction. Descriptive fields, which decide nothing, are kept elsewhere.
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
    /// The channel the money takes.
    pub payment_channel: Option<String>,
    /// Where it stands.
    pub status: Status,
    /// The amount that was asked for.
    pub money: Money,
    /// Whether the money is held first and captured later.
    pub two_step: bool,
    /// Minor units of a capture that waits for its result.
    pub capturing: Option<i64>,
    /// Minor units that were taken.
    pub captured: i64,
    /// Minor units set aside for the active refund.
    pub refunding: i64,
    /// Minor units that were given back.
    pub refunded: i64,
    /// How often authorization was tried.
    pub attempts: u32,
    /// What came of the customer's authentication in the present attempt.
    pub authentication: Option<Authentication>,
    /// Why the provider refused.
    pub decline: Option<RejectCode>,
    /// What happens by itself, and when.
    pub due: Option<Due>,
    /// Outcomes that the merchant asked for in advance.
    pub planned: Planned,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub modified_at: Timestamp,
}

/// An ending that arrives by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Due {
    /// When.
    pub at: Timestamp,
    /// What.
    pub then: Final,
}

/// Outcomes of later calls, asked for when the transaction was created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Planned {
    /// Of its capture.
    pub capture: Option<Outcome>,
    /// Of its refunds.
    pub refund: Option<Outcome>,
    /// Of a renewed authorization.
    pub renew: Option<Outcome>,
}

/// The result of a command on one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The new state.
    pub transaction: Transaction,
    /// What moves in the books.
    pub entries: Vec<Entry>,
}

impl Transaction {
    /// A transaction that has only just been asked for.
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

    /// Moves along the table of legal transitions; whatever was due is no longer.
    pub(super) fn advance(&mut self, event: Event, now: Timestamp) -> Result<(), Rejection> {
        self.status = self.after(event)?;
        self.due = None;
        self.modified_at = now;
        Ok(())
    }

    /// The status that an event would lead to.
    pub(super) fn after(&self, event: Event) -> Result<Status, Rejection> {
        state::next(self.kind, self.status, event).ok_or_else(|| {
            let (status, done) = (self.status.wire(), event.done());
            Rejection::new(
                Code::IllegalState,
                format!("a transaction that is {status} cannot be {done}"),
            )
        })
    }

    /// Arranges for an ending to come by itself.
    pub(super) fn put_off(&mut self, after: SignedDuration, then: Final, now: Timestamp) {
        let at = now.checked_add(after).unwrap_or(Timestamp::MAX);
        self.due = Some(Due { at, then });
    }

    /// Records that the provider refused.
    pub(super) fn refuse(&mut self, code: RejectCode, now: Timestamp) -> Result<(), Rejection> {
        self.advance(Event::Reject, now)?;
        self.decline = Some(code);
        Ok(())
    }
}

/// Refuses outcomes of a call that no customer is there for: nobody can be asked.
pub(super) fn no_customer(outcome: &Outcome) -> Result<(), Rejection> {
    if outcome.needs_customer() {
        let detail = "the outcomes `3ds` and `frictionless` exist for authorizations alone";
        return Err(Rejection::new(Code::ContractViolation, detail));
    }
    Ok(())
}

/// Refuses outcomes that a refund cannot have: it does not expire, and nobody is asked.
pub(super) fn of_refund(outcome: &Outcome) -> Result<(), Rejection> {
    no_customer(outcome)?;
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
