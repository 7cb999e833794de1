//! Plans. A removed plan stays in the table for the subscriptions that refer to it.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, BY_CREATION};
use super::{Hold, Tenant};
use crate::domain::interval::{Interval, Unit};
use crate::domain::money::Money;
use crate::domain::page::Page;
use crate::domain::plan::Plan;
use crate::values;

/// Adds a plan.
pub fn insert(connection: &Connection, tenant: Tenant, plan: &Plan) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO plans (tenant_id, id, product_id, active, trial_days, charge_day, currency,
             setup_fee, amount, interval_unit, interval_count, total_count, retries, created_at,
             updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        values![
            tenant,
            plan.id,
            plan.product,
            plan.active,
            plan.trial_days,
            plan.charge_day.map(i32::from),
            &plan.amount.currency(),
            plan.setup_fee.minor(),
            plan.amount.minor(),
            plan.interval.unit.wire(),
            plan.interval.count,
            plan.total,
            plan.retries,
            plan.created_at,
            plan.updated_at
        ],
    )?;
    Ok(())
}

/// The plan with that id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    hold: Hold,
) -> Result<Option<Plan>, StoreError> {
    let sql = "SELECT * FROM plans WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL";
    let sql = format!("{sql}{}", hold.sql());
    connection.find(&sql, values![tenant, id], read)
}

/// The plan of a subscription, locked until the end of the transaction. It may be removed.
pub fn of_subscription(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Plan, StoreError> {
    let sql = "SELECT * FROM plans WHERE tenant_id = $1 AND id = $2 FOR SHARE";
    let found = connection.find(sql, values![tenant, id], read)?;
    found.ok_or(StoreError::Corrupt("plan"))
}

/// Writes the changeable columns.
pub fn update(connection: &Connection, tenant: Tenant, plan: &Plan) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE plans SET active = $3, updated_at = $4 WHERE tenant_id = $1 AND id = $2",
        values![tenant, plan.id, plan.active, plan.updated_at],
    )?;
    Ok(())
}

/// Removes a plan and deactivates it.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE plans SET active = 0, deleted_at = $3 WHERE tenant_id = $1 AND id = $2",
        values![tenant, id, now],
    )?;
    Ok(())
}

/// Whether a product has plans.
pub fn exist_of(
    connection: &Connection,
    tenant: Tenant,
    product: Uuid,
) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM plans WHERE tenant_id = $1 AND product_id = $2 AND deleted_at IS NULL LIMIT 1",
        values![tenant, product],
    )
}

/// A page of all plans or of one product's plans.
pub fn page(
    connection: &Connection,
    tenant: Tenant,
    product: Option<Uuid>,
    page: &Page,
) -> Result<Vec<Plan>, StoreError> {
    let query = "SELECT * FROM plans WHERE tenant_id = $1 AND deleted_at IS NULL
         AND (product_id = $2 OR $2 IS NULL)";
    let order = (page, BY_CREATION, "id");
    page::read(connection, query, values![tenant, product], order, read)
}

fn read(row: &Row<'_>) -> Result<Plan, StoreError> {
    let currency = row.get("currency")?;
    let unit: String = row.get("interval_unit")?;
    let charge_day: Option<i32> = row.get("charge_day")?;
    Ok(Plan {
        id: row.get("id")?,
        product: row.get("product_id")?,
        active: row.get("active")?,
        trial_days: row.get("trial_days")?,
        charge_day: charge_day.and_then(|day| i8::try_from(day).ok()),
        setup_fee: Money::new(row.get("setup_fee")?, currency),
        amount: Money::new(row.get("amount")?, currency),
        interval: Interval {
            unit: Unit::from_wire(&unit).ok_or(StoreError::Corrupt("interval_unit"))?,
            count: row.get("interval_count")?,
        },
        total: row.get("total_count")?,
        retries: row.get("retries")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}
