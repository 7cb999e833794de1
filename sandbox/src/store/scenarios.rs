//! The script of outcomes for the next calls.

use super::Tenant;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::domain::outcome::Outcome;
use crate::values;

/// The scripted outcome of some calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The operation; any when absent.
    pub operation: Option<String>,
    /// The payment channel; any when absent.
    pub payment_channel: Option<String>,
    /// The provider's answer.
    pub outcome: Outcome,
    /// The number of calls that it applies to.
    pub times: u32,
}

/// Adds a line at the end and returns its number.
pub fn add(connection: &Connection, tenant: Tenant, line: &Line) -> Result<i64, StoreError> {
    connection.clear_cache();
    connection.value(
        "INSERT INTO scenarios (tenant_id, number, operation, payment_channel, outcome, remaining)
         VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM scenarios WHERE tenant_id = $1),
             $2, $3, $4, $5)
         RETURNING number",
        values![
            tenant,
            line.operation.as_deref(),
            line.payment_channel.as_deref(),
            line.outcome.to_string(),
            line.times
        ],
    )
}

/// The remaining lines, in order.
pub fn all(connection: &Connection, tenant: Tenant) -> Result<Vec<(i64, Line)>, StoreError> {
    let sql = "SELECT number, operation, payment_channel, outcome, remaining FROM scenarios
         WHERE tenant_id = $1 ORDER BY number";
    connection.all(sql, values![tenant], read)
}

/// Uses the first matching line once; `None` when no line matches.
pub fn take(
    connection: &Connection,
    tenant: Tenant,
    operation: &str,
    payment_channel: Option<&str>,
) -> Result<Option<Outcome>, StoreError> {
    let first = connection.find(
        "SELECT number, operation, payment_channel, outcome, remaining FROM scenarios
         WHERE tenant_id = $1 AND (operation IS NULL OR operation = $2)
             AND (payment_channel IS NULL OR payment_channel = $3)
         ORDER BY number LIMIT 1",
        values![tenant, operation, payment_channel],
        read,
    )?;
    let Some((number, line)) = first else {
        return Ok(None);
    };
    let sql = match line.times {
        1 => "DELETE FROM scenarios WHERE tenant_id = $1 AND number = $2 AND remaining = $3",
        _ => {
            "UPDATE scenarios SET remaining = remaining - 1
             WHERE tenant_id = $1 AND number = $2 AND remaining = $3"
        }
    };
    match connection.execute(sql, values![tenant, number, line.times])? {
        1 => Ok(Some(line.outcome)),
        _ => Err(StoreError::Stale),
    }
}

/// Removes all lines.
pub fn clear(connection: &Connection, tenant: Tenant) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM scenarios WHERE tenant_id = $1",
        values![tenant],
    )?;
    Ok(())
}

fn read(row: &Row<'_>) -> Result<(i64, Line), StoreError> {
    let line = Line {
        operation: row.get("operation")?,
        payment_channel: row.get("payment_channel")?,
        outcome: row.parsed("outcome")?,
        times: row.get("remaining")?,
    };
    Ok((row.get("number")?, line))
}
