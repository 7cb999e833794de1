//! Reports, their files and the transactions in them.

use jiff::Timestamp;
use uuid::Uuid;

use super::Tenant;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, Sorted};
use crate::domain::ledger::Account;
use crate::domain::money::Money;
use crate::domain::page::Page;
use crate::domain::report::{Line, Period, Report, Status};
use crate::values;

/// Adds a report.
pub fn insert(connection: &Connection, tenant: Tenant, report: &Report) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO reports (tenant_id, id, date_from, date_to, type, currency, status, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        values![
            tenant,
            report.id,
            report.period.from.to_string(),
            report.period.to.to_string(),
            &report.transaction_type,
            report.currency.map(|currency| currency.code().to_owned()),
            report.status.wire(),
            report.created_at
        ],
    )?;
    Ok(())
}

/// Stores a finished report with its file.
pub fn finish(
    connection: &Connection,
    tenant: Tenant,
    report: &Report,
    content: &str,
) -> Result<(), StoreError> {
    let changed = connection.execute(
        "UPDATE reports SET status = $3, ready_at = $4, transaction_count = $5
         WHERE tenant_id = $1 AND id = $2 AND ready_at IS NULL",
        values![
            tenant,
            report.id,
            report.status.wire(),
            report.ready.map(|(at, _)| at),
            report.ready.map(|(_, count)| count)
        ],
    )?;
    if changed != 1 {
        return Err(StoreError::Stale);
    }
    connection.execute(
        "INSERT INTO report_files (tenant_id, report_id, content) VALUES ($1, $2, $3)",
        values![tenant, report.id, content],
    )?;
    Ok(())
}

/// The report with this id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<Report>, StoreError> {
    connection.find(
        "SELECT * FROM reports WHERE tenant_id = $1 AND id = $2",
        values![tenant, id],
        read,
    )
}

/// The file of a finished report.
pub fn file(connection: &Connection, tenant: Tenant, id: Uuid) -> Result<String, StoreError> {
    connection.value(
        "SELECT content FROM report_files WHERE tenant_id = $1 AND report_id = $2",
        values![tenant, id],
    )
}

/// The sort fields of the list.
pub const SORTED: &Sorted = &[("createdAt", "created_at")];

/// A page of the reports.
pub fn list(
    connection: &Connection,
    tenant: Tenant,
    page: &Page,
) -> Result<Vec<Report>, StoreError> {
    let sql = "SELECT * FROM reports WHERE tenant_id = $1";
    page::read(connection, sql, values![tenant], (page, SORTED, "id"), read)
}

/// The transactions of a report, oldest first, each with its change of the balance.
pub fn lines(
    connection: &Connection,
    tenant: Tenant,
    report: &Report,
) -> Result<Vec<Line>, StoreError> {
    let currency = report.currency.map(|currency| currency.code().to_owned());
    connection.all(
        "SELECT t.id, t.parent_id, t.merchant_id, t.origin_id, t.type, t.status, t.payment_channel,
             t.amount, t.captured, t.currency, t.reject_code, t.created_at, t.modified_at,
             (SELECT CAST(coalesce(sum(CASE WHEN e.taker = $2 THEN e.minor WHEN e.giver = $2
                 THEN -e.minor ELSE 0 END), 0) AS BIGINT)
              FROM entries e WHERE e.tenant_id = t.tenant_id AND e.transaction_id = t.id) AS change
         FROM transactions t
         WHERE t.tenant_id = $1 AND t.created_at >= $3 AND t.created_at < $4
             AND ($5 = '' OR t.type = $5) AND ($6 = '' OR t.currency = $6)
         ORDER BY t.created_at, t.id",
        values![
            tenant,
            Account::Merchant.name(),
            report.period.begin(),
            report.period.end(),
            report.transaction_type.clone().unwrap_or_default(),
            currency.unwrap_or_default()
        ],
        line,
    )
}

fn line(row: &Row<'_>) -> Result<Line, StoreError> {
    let currency = row.get("currency")?;
    let (amount, captured): (i64, i64) = (row.get("amount")?, row.get("captured")?);
    let shown = if captured == 0 { amount } else { captured };
    Ok(Line {
        id: row.get("id")?,
        parent: row.get("parent_id")?,
        merchant_transaction_id: row.get("merchant_id")?,
        origin_merchant_transaction_id: row.get("origin_id")?,
        transaction_type: row.get("type")?,
        status: row.get("status")?,
        payment_channel: row.get("payment_channel")?,
        money: Money::new(shown, currency),
        balance_change: Money::new(row.get("change")?, currency),
        reject_code: row.get("reject_code")?,
        created_at: row.get("created_at")?,
        modified_at: row.get("modified_at")?,
    })
}

fn read(row: &Row<'_>) -> Result<Report, StoreError> {
    let status: String = row.get("status")?;
    let at: Option<Timestamp> = row.get("ready_at")?;
    Ok(Report {
        id: row.get("id")?,
        period: Period {
            from: row.parsed("date_from")?,
            to: row.parsed("date_to")?,
        },
        transaction_type: row.get("type")?,
        currency: row.get("currency")?,
        status: Status::from_wire(&status).ok_or(StoreError::Corrupt("status"))?,
        created_at: row.get("created_at")?,
        ready: at.zip(row.get("transaction_count")?),
    })
}
