//! Applies delayed results of transactions when they are due.

use uuid::Uuid;

use super::apply::{change, change_purchase_of, purchase_of};
use super::{Failure, Work};
use crate::domain::state::Kind;
use crate::domain::{payout, purchase, refund};
use crate::store::{self, StoreError};

/// Applies the delayed result of a transaction, if it is still due.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id: Uuid = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    let record = store::find_in_any(work.connection, work.tenant, id)?;
    let Some(before) = record else {
        return Err(StoreError::Corrupt("timer").into());
    };
    let transaction = before.transaction.clone();
    let Some(due) = transaction.due.clone().filter(|due| due.at <= work.now) else {
        return Ok(());
    };
    let after = match transaction.kind {
        Kind::Purchase => purchase::settle(transaction, due.then, work.now)?,
        Kind::Payout => payout::settle(transaction, due.then, work.now)?,
        Kind::Refund => {
            let parent = purchase_of(work, &transaction)?;
            let purchase = parent.transaction.clone();
            let pair = refund::settle(transaction, purchase, due.then, work.now)?;
            change_purchase_of(work, &parent, &pair.purchase)?;
            pair.refund
        }
    };
    change(work, &before, after)?;
    Ok(())
}
