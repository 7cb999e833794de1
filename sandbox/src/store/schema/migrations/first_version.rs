//! Version 1, which existed on SQLite only: moves its rows into the current tables.
//!
//! Version 1 did not store earlier attempts of a payment. They become attempts that were declined without a reason,
//! at the time of the last change.

use super::versioned_details;
use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::schema::create_tables;

pub(super) const NUMBER: i64 = 1;

/// Creates the current tables and moves the rows into them.
pub(super) fn adopt(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(include_str!("first_version/set_aside.sql"))?;
    create_tables(connection)?;
    connection.batch(include_str!("first_version/move.sql"))?;
    versioned_details::step(connection)
}
