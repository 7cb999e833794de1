//! Version 4: details carry a format version.
//!
//! Until version 3 they were models of the contract. The types in [`crate::details`] have the same JSON members as
//! those models had, so the step only adds the version.

use serde::de::IgnoredAny;

use crate::store::connection::Connection;
use crate::store::error::StoreError;

pub(super) const NUMBER: i64 = 4;

/// The tables with details, and the column that identifies a row. The list is that of version 4; do not add later
/// tables.
const TABLES: [(&str, &str); 7] = [
    ("customers", "id"),
    ("instant_recipients", "id"),
    ("cards", "id"),
    ("card_entries", "customer_id"),
    ("payment_links", "id"),
    ("subscriptions", "id"),
    ("transactions", "id"),
];

/// Adds the format version to the details of every row.
pub(super) fn step(connection: &Connection) -> Result<(), StoreError> {
    for (table, name) in TABLES {
        check(connection, table, name)?;
        connection.execute(
            &format!(
                r#"UPDATE {table} SET details = '{{"version":1,"fields":' || details || '}}'"#
            ),
            &[],
        )?;
    }
    Ok(())
}

/// Fails on the first row whose details are not JSON, before the table is written.
fn check(connection: &Connection, table: &'static str, name: &str) -> Result<(), StoreError> {
    let sql = format!("SELECT {name}, details FROM {table}");
    connection.each(&sql, &[], |row| {
        let details: String = row.at(1)?;
        serde_json::from_str::<IgnoredAny>(&details)
            .map(drop)
            .map_err(|error| StoreError::Details {
                table,
                id: row.at(0).unwrap_or_default(),
                cause: format!("not JSON at {}:{}", error.line(), error.column()),
            })
    })
}
