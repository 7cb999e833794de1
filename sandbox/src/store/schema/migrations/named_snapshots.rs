//! Version 6: snapshots have names and numbers that are used once, and transactions are listed by their time.

use crate::store::connection::Connection;
use crate::store::error::StoreError;
use crate::store::schema::dialect;

pub(super) const NUMBER: i64 = 6;

/// Adds the columns and the index.
pub(super) fn step(connection: &Connection) -> Result<(), StoreError> {
    let sql = include_str!("named_snapshots.sql");
    if connection.is_postgres() {
        connection.batch(&dialect::postgres(sql))
    } else {
        connection.batch(sql)
    }
}
