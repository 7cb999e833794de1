//! Bringing the tables of an existing file up to date.

use rusqlite::{Connection, TransactionBehavior};

use super::error::StoreError;

/// Every step, oldest first; the file's `user_version` counts those that were taken.
static STEPS: [&str; 1] = [include_str!("schema.sql")];

/// Refuses a file of a newer version, and one that holds what another program put there. An empty
/// one will do.
pub(super) fn recognise(connection: &Connection) -> Result<(), StoreError> {
    let fresh = missing(connection)?.len() == STEPS.len();
    let (things, ours): (i64, bool) = connection.query_row(
        "SELECT count(*), count(*) FILTER (WHERE type = 'table' AND name = 'postings') = 1
         FROM sqlite_schema",
        [],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    let as_expected = if fresh { things == 0 } else { ours };
    if as_expected {
        Ok(())
    } else {
        Err(StoreError::Foreign)
    }
}

/// Takes the steps that are missing, all or none.
pub(super) fn run(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for step in missing(&transaction)? {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", known())?;
    Ok(transaction.commit()?)
}

/// The steps that a file has not taken yet.
fn missing(connection: &Connection) -> Result<&'static [&'static str], StoreError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let taken = usize::try_from(found).unwrap_or(usize::MAX);
    STEPS.get(taken..).ok_or(StoreError::Version {
        found,
        known: known(),
    })
}

fn known() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}
