//! Writes the results of decisions and their consequences in the same commit.

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

/// Writes a new transaction and its ledger entries.
pub(super) fn insert(
    work: &Work<'_>,
    created: Transition,
    details: Box<TransactionDetails>,
) -> Result<View, Failure> {
    insert_charge(work, created, details, None)
}

/// Like [`insert`], for a charge whose subscription is already loaded.
pub(super) fn insert_charge(
    work: &Work<'_>,
    created: Transition,
    details: Box<TransactionDetails>,
    charged: Option<Charged<'_>>,
) -> Result<View, Failure> {
    let record = Record {
        tenant: work.tenant,
        version: 1,
        transaction: created.transaction,
        details,
    };
    store::insert(work.connection, &record)?;
    post(work, &record, &created.entries)?;
    if record.transaction.due.is_some() {
        schedule_result(work, &record)?;
    }
    follow(work, None, &record, charged)?;
    Ok(View::fresh(work, record))
}

/// Writes a changed transaction and its ledger entries.
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
        schedule_result(work, &record)?;
    }
    follow(work, Some(before), &record, None)?;
    Ok(record)
}

/// Writes a new refund, its purchase and its ledger entries.
pub(super) fn insert_refund(
    work: &Work<'_>,
    purchase: &Record,
    created: Pair,
    details: Box<TransactionDetails>,
) -> Result<View, Failure> {
    // The purchase first: the constraints on its sums refuse a refund that is too large.
    change_purchase_of(work, purchase, &created.purchase)?;
    insert(work, created.refund, details)
}

/// The purchase of a refund.
pub(super) fn purchase_of(work: &Work<'_>, refund: &Transaction) -> Result<Record, Failure> {
    let purchase = refund.parent.map(Target::Id);
    let purchase = purchase.ok_or(StoreError::Corrupt("refund"))?;
    purchase.load(work, Collection::Transactions)
}

/// Writes the changes that a refund caused in its purchase.
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

/// Writes all consequences of a new or changed transaction, in the same commit.
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

fn schedule_result(work: &Work<'_>, record: &Record) -> Result<(), Failure> {
    let Transaction { id, due, .. } = &record.transaction;
    let due_at = due.as_ref().map(|due| due.at);
    work.schedule(Kind::Transaction, &id.hyphenated().to_string(), due_at)
}

fn post(work: &Work<'_>, record: &Record, entries: &[Entry]) -> Result<(), Failure> {
    let id = Some(record.transaction.id);
    for entry in entries {
        store::post(work.connection, work.tenant, id, entry, work.now)?;
    }
    Ok(())
}
