//! Version 5: commands can be repeated with an idempotency key, and merchants can enforce the
//! catalogue.

use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::schema::dialect;

pub(super) const NUMBER: i64 = 5;

/// Adds the table of answers and the merchants' setting.
pub(super) fn step(connection: &Connection) -> Result<(), StoreError> {
    let added = include_str!("repeatable_commands.sql");
    if connection.is_postgres() {
        connection.batch(&dialect::postgres(added))
    } else {
        connection.batch(added)
    }
}
