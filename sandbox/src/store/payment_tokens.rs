//! Payment tokens, which represent a saved card in purchases.

use jiff::Timestamp;
use uuid::Uuid;

use super::Tenant;
use super::cards;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, Sorted};
use crate::domain::card::Card;
use crate::domain::page::Page;
use crate::values;

/// The sort fields of the list.
pub const SORTED: &Sorted = &[
    ("createdAt", "payment_tokens.created_at"),
    ("last4", "cards.last4"),
];

/// A token with its card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentToken {
    /// The token.
    pub token: Uuid,
    /// The saved card.
    pub card_id: Uuid,
    /// The customer.
    pub customer: Uuid,
    /// The purchase that created it.
    pub first_transaction: Uuid,
    /// When it was created.
    pub created_at: Timestamp,
    /// The stored part of the card.
    pub card: Card,
}

const QUERY: &str = "SELECT payment_tokens.token, payment_tokens.card_id,
        payment_tokens.customer_id, payment_tokens.first_transaction_id,
        payment_tokens.created_at, cards.bin, cards.last4, cards.organization, cards.expiry,
        cards.outcome
    FROM payment_tokens JOIN cards
        ON cards.tenant_id = payment_tokens.tenant_id AND cards.id = payment_tokens.card_id
    WHERE payment_tokens.tenant_id = $1";

/// Adds a token.
pub fn add(
    connection: &Connection,
    tenant: Tenant,
    (token, card, customer): (Uuid, Uuid, Uuid),
    transaction: Uuid,
    now: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO payment_tokens
             (tenant_id, token, card_id, customer_id, first_transaction_id, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        values![tenant, token, card, customer, transaction, now],
    )?;
    Ok(())
}

/// A token of any customer.
pub fn find(
    connection: &Connection,
    tenant: Tenant,
    token: Uuid,
) -> Result<Option<PaymentToken>, StoreError> {
    let query = format!("{QUERY} AND payment_tokens.token = $2");
    connection.find(&query, values![tenant, token], read)
}

/// A page of the tokens of a customer.
pub fn list(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    page: &Page,
) -> Result<Vec<PaymentToken>, StoreError> {
    page::read(
        connection,
        &format!("{QUERY} AND payment_tokens.customer_id = $2"),
        values![tenant, customer],
        (page, SORTED, "payment_tokens.token"),
        read,
    )
}

/// Removes a token of a customer; returns whether it existed.
pub fn remove(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
    token: Uuid,
) -> Result<bool, StoreError> {
    let removed = connection.execute(
        "DELETE FROM payment_tokens WHERE tenant_id = $1 AND customer_id = $2 AND token = $3",
        values![tenant, customer, token],
    )?;
    Ok(removed > 0)
}

fn read(row: &Row<'_>) -> Result<PaymentToken, StoreError> {
    Ok(PaymentToken {
        token: row.get("token")?,
        card_id: row.get("card_id")?,
        customer: row.get("customer_id")?,
        first_transaction: row.get("first_transaction_id")?,
        created_at: row.get("created_at")?,
        card: cards::card(row)?,
    })
}
