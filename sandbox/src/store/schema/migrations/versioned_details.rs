//! Version 4: details are the sandbox's own types, with the version of their form.
//!
//! The members are those that the models of the contract had at the time; from here on the contract can
//! change without them.

use serde::de::IgnoredAny;

use crate::store::connection::Connection;
use crate::store::error::StoreError;

pub(super) const NUMBER: i64 = 4;

/// The tables whose rows have details, each with what names a row.
const TABLES: [(&str, &str); 7] = [
    ("customers", "id"),
    ("instant_recipients", "id"),
    ("cards", "id"),
    ("card_entries", "customer_id"),
    ("payment_links", "id"),
    ("subscriptions", "id"),
    ("transactions", "id"),
];

/// Puts the version before the details of every row.
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

/// Refuses rows whose details are no JSON, before anything of theirs is written.
fn check(connection: &Connection, table: &'static str, name: &str) -> Result<(), StoreError> {
    let sql = format!("SELECT {name}, details FROM {table}");
    connection.each(&sql, &[], |row| {
        let details: String = row.at(1)?;
        serde_json::from_str::<IgnoredAny>(&details)
            .map(drop)
            .map_err(|error| StoreError::Details {
                table,
                id: row.at(0).unwrap_or_default(),
                cause: format!("no JSON at {}:{}", error.line(), error.column()),
            })
    })
}
