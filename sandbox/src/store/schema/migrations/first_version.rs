//! Version 1, which was on SQLite alone and had one merchant for each tenant: its rows are moved into the
//! tables of today.
//!
//! It kept no word on attempts that were followed by another: they are taken over as declined without a
//! reason, at the time of the last change.

use super::versioned_details;
use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::schema::create_tables;

pub(super) const NUMBER: i64 = 1;

/// Makes the tables of today and moves the rows into them.
pub(super) fn adopt(connection: &Connection) -> Result<(), StoreError> {
    connection.batch(include_str!("first_version/set_aside.sql"))?;
    create_tables(connection)?;
    connection.batch(include_str!("first_version/move.sql"))?;
    versioned_details::step(connection)
}
