//! The tables of both databases, written once: one file for each noun.

mod dialect;
mod migrations;
mod recognition;

pub(super) use recognition::{recognise, recognise_present};

use super::connection::Connection;
use super::error::StoreError;

/// The version of the tables. Earlier versions are migrated, later ones refused.
pub(super) const VERSION: i64 = 6;

/// The tables, each file after those that it refers to.
const FILES: &[&str] = &[
    include_str!("tenants.sql"),
    include_str!("customers.sql"),
    include_str!("cards.sql"),
    include_str!("products.sql"),
    include_str!("plans.sql"),
    include_str!("subscriptions.sql"),
    include_str!("transactions.sql"),
    include_str!("ledger.sql"),
    include_str!("quotes.sql"),
    include_str!("payment_links.sql"),
    include_str!("reports.sql"),
    include_str!("channels_used.sql"),
    include_str!("scenarios.sql"),
    include_str!("notifications.sql"),
];

/// The tables whose rows belong to a tenant and are copied with it, each after those that it refers
/// to.
pub(super) const OF_TENANT: &[&str] = &[
    "timers",
    "customers",
    "instant_recipients",
    "cards",
    "payment_tokens",
    "presented_cards",
    "card_entries",
    "products",
    "plans",
    "subscriptions",
    "transactions",
    "attempts",
    "offers",
    "answers",
    "command_answers",
    "entries",
    "balances",
    "quotes",
    "payment_links",
    "reports",
    "report_files",
    "channels_used",
    "scenarios",
    "notifications",
    "notification_attempts",
    "notification_faults",
];

/// Creates the tables, or migrates those of an earlier version. Then compares the columns with those of a fresh
/// database, which it creates in `reference`, an empty database in memory.
///
/// # Errors
/// The database belongs to another program, has a later version, is in use and needs a migration, or has a row that
/// cannot be parsed. The caller rolls the transaction back.
pub(super) fn prepare(connection: &Connection, reference: &Connection) -> Result<(), StoreError> {
    match recognition::found(connection)? {
        None => create_tables(connection)?,
        Some(VERSION) => return recognition::check_columns(connection, reference),
        Some(found) => {
            connection.require_exclusive()?;
            migrations::run(connection, found)?;
        }
    }
    recognition::sign(connection)?;
    recognition::check_columns(connection, reference)
}

fn create_tables(connection: &Connection) -> Result<(), StoreError> {
    for file in FILES {
        if connection.is_postgres() {
            connection.batch(&dialect::postgres(file))?;
        } else {
            connection.batch(file)?;
        }
    }
    connection.batch(append_only(connection))
}

/// The triggers that make the ledger append-only.
fn append_only(connection: &Connection) -> &'static str {
    if connection.is_postgres() {
        include_str!("append_only.postgres.sql")
    } else {
        include_str!("append_only.sqlite.sql")
    }
}

/// The columns of a tenant's table that a copy has to fill, except the tenant.
pub(super) fn columns(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let all = if connection.is_postgres() {
        "SELECT column_name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND is_identity = 'NO'
         ORDER BY ordinal_position"
    } else {
        // The database assigns keys of type INTEGER.
        "SELECT name FROM pragma_table_info($1) WHERE NOT (pk = 1 AND type = 'INTEGER'
             AND name <> 'tenant_id') ORDER BY cid"
    };
    let mut columns = connection.all(all, crate::values![table], |row| row.at::<String>(0))?;
    columns.retain(|column| column != "tenant_id");
    Ok(columns)
}

/// The columns of the primary key of a table, on SQLite.
pub(super) fn key(connection: &Connection, table: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk";
    connection.all(sql, crate::values![table], |row| row.at::<String>(0))
}
