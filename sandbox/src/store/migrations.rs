//! Bringing the tables of an existing file up to date.

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// Every step, oldest first; the file's `user_version` counts those that were taken.
const STEPS: [&str; 1] = [include_str!("schema.sql")];

/// Takes the steps that are missing, all or none.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let taken = usize::try_from(found).unwrap_or(usize::MAX);
    let missing = STEPS
        .get(taken..)
        .ok_or(StoreError::Version { found, known })?;
    for step in missing {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known)?;
    Ok(transaction.commit()?)
}
