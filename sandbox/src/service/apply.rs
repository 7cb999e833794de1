//! Writing what was decided.

use jiff::Timestamp;
use rusqlite::Connection;

use super::{Failure, View};
use crate::domain::refund::Pair;
use crate::domain::transaction::Transition;
use crate::domain::{Code, Rejection};
use crate::store::{self, Record, StoreError, Tenant};

/// Keeps a new transaction and what it moves.
pub(super) fn insert(
    connection: &Connection,
    tenant: Tenant,
    made: Transition,
    details: String,
    now: Timestamp,
) -> Result<View, Failure> {
    let record = Record {
        tenant,
        transaction: made.transaction,
        details,
    };
    store::insert(connection, &record)?;
    post(connection, &record, &made.entries, now)?;
    View::load(connection, record, now)
}

/// Keeps a changed transaction and what that moves.
pub(super) fn change(
    connection: &Connection,
    before: Record,
    after: Transition,
    now: Timestamp,
) -> Result<Record, Failure> {
    let Transition {
        transaction,
        entries,
    } = after;
    store::update(
        connection,
        &before.transaction,
        &transaction,
        &before.details,
    )?;
    let record = Record {
        transaction,
        ..before
    };
    post(connection, &record, &entries, now)?;
    Ok(record)
}

/// Keeps a new refund, its purchase and what moves.
pub(super) fn insert_refund(
    connection: &Connection,
    purchase: &Record,
    made: Pair,
    details: String,
    now: Timestamp,
) -> Result<View, Failure> {
    // The purchase first: its sums refuse what would give back too much.
    store::update(
        connection,
        &purchase.transaction,
        &made.purchase,
        &purchase.details,
    )?;
    insert(connection, purchase.tenant, made.refund, details, now)
}

fn post(
    connection: &Connection,
    record: &Record,
    entries: &[crate::domain::ledger::Entry],
    now: Timestamp,
) -> Result<(), Failure> {
    for entry in entries {
        let posted = store::post(
            connection,
            record.tenant,
            Some(record.transaction.id),
            entry,
            now,
        );
        posted.map_err(|error| match error {
            // Nobody else's fault than that of the sums that were asked for.
            StoreError::BalanceTooLarge => {
                Rejection::at(Code::AmountRule, "/amount", error.to_string()).into()
            }
            other => Failure::Store(other),
        })?;
    }
    Ok(())
}
