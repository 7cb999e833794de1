//! Copies and removes all rows of a tenant, at once or in parts.
//!
//! SQLite has one writing connection, so a large copy in one commit would block all other writes.
//! There, one transaction reads the rows as a consistent snapshot, and each part of them is written
//! in a separate commit.

use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc;

use super::connection::Connection;
use super::error::StoreError;
use super::tenants::add_tenant;
use super::value::Value;
use super::{Tenant, schema};
use crate::values;

/// The number of rows in a part.
const PART: usize = 256;

/// Rows of one table, without their tenant.
#[derive(Debug)]
pub(super) struct Part {
    table: &'static str,
    columns: Vec<String>,
    rows: Vec<Vec<Value<'static>>>,
}

impl Part {
    /// Inserts the rows for another tenant.
    pub(super) fn write(&self, connection: &Connection, to: Tenant) -> Result<(), StoreError> {
        let (table, columns) = (self.table, self.columns.join(", "));
        let places: Vec<String> = (2..self.columns.len() + 2)
            .map(|place| format!("${place}"))
            .collect();
        let sql = format!(
            "INSERT INTO {table} (tenant_id, {columns}) VALUES ($1, {})",
            places.join(", ")
        );
        for row in &self.rows {
            let mut values = vec![Value::from(to)];
            values.extend(row.iter().cloned());
            connection.execute(&sql, &values)?;
        }
        Ok(())
    }
}

/// Reads all rows of a tenant, each row after those that it refers to, and sends them in parts.
/// Blocks while the channel is full; fails when the receiver is gone.
pub(super) fn read(
    connection: &Connection,
    from: Tenant,
    parts: &mpsc::Sender<Part>,
) -> Result<(), StoreError> {
    for table in schema::OF_TENANT {
        for condition in passes(table) {
            read_table(connection, (table, condition), from, parts)?;
        }
    }
    Ok(())
}

fn read_table(
    connection: &Connection,
    (table, condition): (&'static str, &str),
    from: Tenant,
    parts: &mpsc::Sender<Part>,
) -> Result<(), StoreError> {
    let columns = schema::columns(connection, table)?;
    let part = |rows| Part {
        table,
        columns: columns.clone(),
        rows,
    };
    let names = columns.join(", ");
    let sql = format!("SELECT {names} FROM {table} WHERE tenant_id = $1 AND {condition}");
    let mut rows = Vec::new();
    connection.each(&sql, values![from], |row| {
        rows.push(row.values()?);
        if rows.len() < PART {
            return Ok(());
        }
        send(parts, part(std::mem::take(&mut rows)))
    })?;
    send(parts, part(rows))
}

fn send(parts: &mpsc::Sender<Part>, part: Part) -> Result<(), StoreError> {
    parts.blocking_send(part).map_err(|_| StoreError::Closed)
}

/// Copies every row of a tenant to a new tenant, within the present transaction.
pub(super) fn copy_all(
    connection: &Connection,
    from: Tenant,
    now: Timestamp,
) -> Result<Tenant, StoreError> {
    let to = empty_copy(connection, from, now)?;
    for table in schema::OF_TENANT {
        let columns = schema::columns(connection, table)?.join(", ");
        connection.execute(
            &format!(
                "INSERT INTO {table} (tenant_id, {columns})
                 SELECT $1, {columns} FROM {table} WHERE tenant_id = $2"
            ),
            values![to, from],
        )?;
    }
    Ok(to)
}

/// Creates a tenant without rows and with the clock of another tenant.
pub(super) fn empty_copy(
    connection: &Connection,
    other: Tenant,
    now: Timestamp,
) -> Result<Tenant, StoreError> {
    let clock_offset = clock_offset(connection, other)?;
    add_tenant(connection, SignedDuration::from_millis(clock_offset), now)
}

fn clock_offset(connection: &Connection, tenant: Tenant) -> Result<i64, StoreError> {
    connection.value(
        "SELECT clock_offset FROM tenants WHERE id = $1",
        values![tenant],
    )
}

/// Removes one part of a tenant's rows; returns whether there may be more.
pub(super) fn remove_part(connection: &Connection, tenant: Tenant) -> Result<bool, StoreError> {
    for table in schema::OF_TENANT.iter().rev() {
        let key = schema::key(connection, table)?.join(", ");
        for condition in passes(table).iter().rev() {
            let removed = connection.execute(
                &format!(
                    "DELETE FROM {table} WHERE tenant_id = $1 AND ({key}) IN (
                         SELECT {key} FROM {table} WHERE tenant_id = $1 AND {condition} LIMIT {PART})"
                ),
                values![tenant],
            )?;
            if removed > 0 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The conditions that split a table so that each row comes after those that it refers to: a refund
/// after its purchase.
fn passes(table: &str) -> &'static [&'static str] {
    match table {
        "transactions" => &["parent_id IS NULL", "parent_id IS NOT NULL"],
        _ => &["TRUE"],
    }
}
