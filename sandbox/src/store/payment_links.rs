//! Payment links.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, Sorted};
use super::{Merchant, Tenant, details};
use crate::details::PaymentLinkDetails;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::page::Page;
use crate::domain::payment_link::{PaymentLink, Status};
use crate::domain::state;
use crate::values;

/// A payment link with its descriptive fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkRecord {
    /// The number of times it was written.
    pub version: i64,
    /// Its state.
    pub link: PaymentLink,
    /// Descriptive fields as a JSON object.
    pub details: PaymentLinkDetails,
}

/// The filter of a list of links; an absent field matches everything.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The customer's e-mail address, ignoring case.
    pub customer_email: Option<String>,
    /// The status.
    pub status: Option<String>,
    /// The currency of the amount.
    pub currency: Option<Currency>,
    /// The earliest creation time.
    pub created_from: Option<Timestamp>,
    /// The time before which it was created.
    pub created_before: Option<Timestamp>,
    /// Whether hidden links are included.
    pub hidden: bool,
}

/// The sort fields of the list.
pub const SORTED: &Sorted = &[("createdAt", "l.created_at")];

/// Selects every column and the status of the purchase.
const SELECT: &str = "SELECT l.*, t.status AS purchase_status FROM payment_links l
     LEFT JOIN transactions t ON t.tenant_id = l.tenant_id AND t.id = l.transaction_id";

/// Adds a link.
pub fn insert(
    connection: &Connection,
    tenant: Tenant,
    record: &LinkRecord,
    customer_email: Option<&str>,
) -> Result<(), StoreError> {
    let link = &record.link;
    connection.execute(
        "INSERT INTO payment_links (tenant_id, id, version, merchant_id, unpaid, currency, amount,
             expires_at, hidden, customer_email, transaction_id, created_at, details)
         VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        values![
            tenant,
            link.id,
            &link.merchant_transaction_id,
            link.unpaid.wire(),
            &link.money.currency(),
            link.money.minor(),
            link.expires_at,
            link.hidden,
            customer_email.map(str::to_lowercase),
            link.purchase.map(|(id, _)| id),
            link.created_at,
            details::text(&record.details)?
        ],
    )?;
    Ok(())
}

/// Writes the changeable columns; fails when another write changed the row meanwhile.
pub fn update(
    connection: &Connection,
    tenant: Tenant,
    before: &LinkRecord,
    after: &PaymentLink,
    details: &PaymentLinkDetails,
) -> Result<(), StoreError> {
    let changed = connection.execute(
        "UPDATE payment_links SET version = version + 1, unpaid = $4, expires_at = $5, hidden = $6,
             transaction_id = $7, details = $8
         WHERE tenant_id = $1 AND id = $2 AND version = $3",
        values![
            tenant,
            before.link.id,
            before.version,
            after.unpaid.wire(),
            after.expires_at,
            after.hidden,
            after.purchase.map(|(id, _)| id),
            details::text(details)?
        ],
    )?;
    if changed == 1 {
        Ok(())
    } else {
        Err(StoreError::Stale)
    }
}

/// The link with this id.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<LinkRecord>, StoreError> {
    let sql = format!("{SELECT} WHERE l.tenant_id = $1 AND l.id = $2");
    connection.find(&sql, values![tenant, id], read)
}

/// The merchant of a link; customers are identified by the link's id alone.
pub fn merchant_of(connection: &Connection, id: Uuid) -> Result<Option<Merchant>, StoreError> {
    connection.find(
        "SELECT m.id FROM payment_links l JOIN merchants m ON m.tenant_id = l.tenant_id
         WHERE l.id = $1 ORDER BY m.id LIMIT 1",
        values![id],
        |row| row.at(0),
    )
}

/// A page of the links that match the filter.
pub fn list(
    connection: &Connection,
    tenant: Tenant,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<LinkRecord>, StoreError> {
    let sql = format!(
        "{SELECT} WHERE l.tenant_id = $1
             AND ($2 = '' OR l.customer_email = $2)
             AND ($3 = '' OR $3 = CASE WHEN t.status = 'ACCEPTED' THEN 'paid'
                 WHEN t.status IN ('PENDING', 'AUTHORIZED') THEN 'processing'
                 ELSE l.unpaid END)
             AND ($4 = '' OR l.currency = $4)
             AND l.created_at >= $5 AND l.created_at < $6
             AND (l.hidden = 0 OR $7 = 1)"
    );
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let currency = filter.currency.map(|currency| currency.code().to_owned());
    let order = (page, SORTED, "l.id");
    page::read(
        connection,
        &sql,
        values![
            tenant,
            text(&filter.customer_email).to_lowercase(),
            text(&filter.status),
            text(&currency),
            filter.created_from.unwrap_or(Timestamp::MIN),
            filter.created_before.unwrap_or(Timestamp::MAX),
            filter.hidden
        ],
        order,
        read,
    )
}

fn read(row: &Row<'_>) -> Result<LinkRecord, StoreError> {
    let unpaid: String = row.get("unpaid")?;
    let purchase: Option<Uuid> = row.get("transaction_id")?;
    let status: Option<String> = row.get("purchase_status")?;
    let status = status.as_deref().and_then(state::Status::from_wire);
    let link = PaymentLink {
        id: row.get("id")?,
        merchant_transaction_id: row.get("merchant_id")?,
        money: Money::new(row.get("amount")?, row.get("currency")?),
        unpaid: Status::from_wire(&unpaid).ok_or(StoreError::Corrupt("status"))?,
        expires_at: row.get("expires_at")?,
        hidden: row.get("hidden")?,
        purchase: purchase.zip(status),
        created_at: row.get("created_at")?,
    };
    Ok(LinkRecord {
        version: row.get("version")?,
        link,
        details: details::read(row, "payment_links")?,
    })
}
