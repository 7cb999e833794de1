//! Writing what was decided, and what follows from it in the same commit.

use super::notifications::announce;
use super::subscription_payments::{self, Charged};
use super::timer_kind::Kind;
use super::{Failure, Target, Work, payment_methods, saved_cards};
use crate::details::TransactionDetails;
use crate::domain::ledger::Entry;
use crate::domain::refund::Pair;
use crate::domain::state::Status;
use crate::domain::transaction::{Transaction, Transition};
use crate::render::View;
use crate::store::{self, Collection, Record, StoreError};

/// Keeps a new transaction and what it moves.
pub(super) fn insert(
    work: &Work<'_>,
    made: Transition,
    details: Box<TransactionDetails>,
) -> Result<View, Failure> {
    insert_charge(work, made, details, None)
}

/// The same of a charge whose subscription is at hand.
pub(super) fn insert_charge(
    work: &Work<'_>,
    made: Transition,
    details: Box<TransactionDetails>,
    charged: Option<Charged<'_>>,
) -> Result<View, Failure> {
    let record = Record {
        tenant: work.tenant,
        version: 1,
        transaction: made.transaction,
        details,
    };
    store::insert(work.connection, &record)?;
    post(work, &record, &made.entries)?;
    if record.transaction.due.is_some() {
        arrange(work, &record)?;
    }
    follow(work, None, &record, charged)?;
    Ok(View::fresh(work, record))
}

/// Keeps a changed transaction and what that moves.
pub(super) fn change(
    work: &Work<'_>,
    before: &Record,
    after: Transition,
) -> Result<Record, Failure> {
    let Transition {
        transaction,
        entries,
    } = after;
    store::update(work.connection, before, &transaction, &before.details)?;
    let record = Record {
        version: before.version + 1,
        transaction,
        ..before.clone()
    };
    if record.transaction.attempts > before.transaction.attempts {
        store::keep_attempt(work.connection, before)?;
    }
    post(work, &record, &entries)?;
    if record.transaction.due != before.transaction.due {
        arrange(work, &record)?;
    }
    follow(work, Some(before), &record, None)?;
    Ok(record)
}

/// Keeps a new refund, its purchase and what moves.
pub(super) fn insert_refund(
    work: &Work<'_>,
    purchase: &Record,
    made: Pair,
    details: Box<TransactionDetails>,
) -> Result<View, Failure> {
    // The purchase first: its sums refuse what would give back too much.
    change_purchase_of(work, purchase, &made.purchase)?;
    insert(work, made.refund, details)
}

/// The purchase that a refund belongs to.
pub(super) fn purchase_of(work: &Work<'_>, refund: &Transaction) -> Result<Record, Failure> {
    let purchase = refund.parent.map(Target::Id);
    let purchase = purchase.ok_or(StoreError::Corrupt("refund"))?;
    purchase.load(work, Collection::Transactions)
}

/// Keeps what a refund has changed in its purchase.
pub(super) fn change_purchase_of(
    work: &Work<'_>,
    before: &Record,
    after: &Transaction,
) -> Result<(), Failure> {
    Ok(store::update(
        work.connection,
        before,
        after,
        &before.details,
    )?)
}

/// What follows from a new or changed transaction: the one place for it, in the same commit.
fn follow(
    work: &Work<'_>,
    before: Option<&Record>,
    after: &Record,
    charged: Option<Charged<'_>>,
) -> Result<(), Failure> {
    let accepted = |record: &Record| record.transaction.status == Status::Accepted;
    if accepted(after) && !before.is_some_and(accepted) {
        saved_cards::accepted(work, before, after)?;
        payment_methods::accepted(work, after)?;
    }
    announce(work, before, after)?;
    if let Some(subscription) = after.transaction.subscription {
        let attempts_before = before.map_or(0, |before| before.transaction.attempts);
        match charged {
            Some(charged) => {
                subscription_payments::follow(work, charged, attempts_before, after)?;
            }
            None => {
                subscription_payments::find_and_follow(work, subscription, attempts_before, after)?;
            }
        }
    }
    Ok(())
}

fn arrange(work: &Work<'_>, record: &Record) -> Result<(), Failure> {
    let Transaction { id, due, .. } = &record.transaction;
    let due_at = due.as_ref().map(|due| due.at);
    work.arrange(Kind::Transaction, &id.hyphenated().to_string(), due_at)
}

fn post(work: &Work<'_>, record: &Record, entries: &[Entry]) -> Result<(), Failure> {
    let id = Some(record.transaction.id);
    for entry in entries {
        store::post(work.connection, work.tenant, id, entry, work.now)?;
    }
    Ok(())
}
