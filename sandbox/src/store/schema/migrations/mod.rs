//! Migrates the tables of an earlier version, in one transaction.
//!
//! When you change the tables, raise [`super::VERSION`], add a step here, and add a database of the version before
//! to `tests/databases/`.

mod first_version;
mod named_snapshots;
mod removable_books;
mod repeatable_commands;
mod versioned_details;

use crate::store::connection::Connection;
use crate::store::error::StoreError;

/// The earliest version that can be migrated.
const OLDEST: i64 = 1;

/// Runs the steps that a database of version `found` lacks.
pub(super) fn run(connection: &Connection, found: i64) -> Result<(), StoreError> {
    if found < OLDEST {
        return Err(StoreError::Foreign);
    }
    if found == first_version::NUMBER {
        return first_version::adopt(connection);
    }
    for (version, step) in STEPS {
        if found < version {
            step(connection)?;
        }
    }
    Ok(())
}

/// A version, and the step from the version before.
type Step = (i64, fn(&Connection) -> Result<(), StoreError>);

/// The steps, in order.
const STEPS: [Step; 4] = [
    (removable_books::NUMBER, removable_books::step),
    (versioned_details::NUMBER, versioned_details::step),
    (repeatable_commands::NUMBER, repeatable_commands::step),
    (named_snapshots::NUMBER, named_snapshots::step),
];
