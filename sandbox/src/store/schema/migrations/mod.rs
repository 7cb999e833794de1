//! Bringing the tables of an earlier version up to date, in one transaction: all of it or nothing.
//!
//! A change of the tables raises [`super::VERSION`] and adds a step here, with a test that opens a file of the
//! version before it.

mod first_version;
mod removable_books;
mod versioned_details;

use crate::store::connection::Connection;
use crate::store::error::StoreError;

/// The first version that this program can bring up to date.
const OLDEST: i64 = 1;

/// Takes the steps that a database of this version lacks.
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

/// A version, and what makes it of the one before.
type Step = (i64, fn(&Connection) -> Result<(), StoreError>);

/// The steps, in order.
const STEPS: [Step; 2] = [
    (removable_books::NUMBER, removable_books::step),
    (versioned_details::NUMBER, versioned_details::step),
];
