//! Saved cards of every purpose, in one table without card numbers.

use jiff::Timestamp;
use uuid::Uuid;

use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use super::page::{self, Sorted};
use super::{Tenant, Value, details};
use crate::details::CardDetails;
use crate::domain::card::{Card, Issuer};
use crate::domain::expiry::Expiry;
use crate::domain::page::Page;
use crate::values;

/// The sort fields of most lists of cards, with their columns.
pub const SORTED: &Sorted = &[
    ("createdAt", "created_at"),
    ("cardName", "name"),
    ("last4", "last4"),
];
/// The sort fields of the list of payout cards.
pub const SORTED_PROFILES: &Sorted = &[
    ("createdAt", "created_at"),
    ("updatedAt", "updated_at"),
    ("cardName", "name"),
    ("last4", "last4"),
];
/// The sort fields of the list of recipients.
pub const SORTED_RECIPIENTS: &Sorted = &[
    ("createdAt", "created_at"),
    ("alias", "name"),
    ("last4", "last4"),
];

/// The purpose of a saved card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A card that paid.
    Payment,
    /// A card that received a payout.
    Payout,
    /// A card that the customer added to receive payouts.
    PayoutProfile,
    /// A card of somebody else to whom the customer can pay out.
    Recipient,
}

/// A saved card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedCard {
    /// Its id.
    pub id: Uuid,
    /// Its customer.
    pub customer: Uuid,
    /// Its purpose.
    pub purpose: Purpose,
    /// The card.
    pub card: Card,
    /// Its display name.
    pub name: String,
    /// Whether it is the default card.
    pub is_default: bool,
    /// The transaction that saved it.
    pub first_transaction: Option<Uuid>,
    /// Descriptive fields, a JSON object.
    pub details: CardDetails,
    /// When it was saved.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The cards of one customer with one purpose.
#[derive(Clone, Copy, Debug)]
pub struct Shelf {
    /// The tenant.
    pub tenant: Tenant,
    /// The customer.
    pub customer: Uuid,
    /// The purpose.
    pub purpose: Purpose,
}

impl Purpose {
    const ALL: [Self; 4] = [
        Self::Payment,
        Self::Payout,
        Self::PayoutProfile,
        Self::Recipient,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Payment => "payment",
            Self::Payout => "payout",
            Self::PayoutProfile => "payout-profile",
            Self::Recipient => "recipient",
        }
    }
}

impl Shelf {
    fn values(&self) -> [Value<'static>; 3] {
        [
            self.tenant.into(),
            self.customer.into(),
            self.purpose.name().into(),
        ]
    }
}

/// Adds a card.
pub fn add(
    connection: &Connection,
    tenant: Tenant,
    saved: &SavedCard,
    fingerprint: &[u8],
) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO cards (tenant_id, id, customer_id, purpose, fingerprint, bin, last4,
             organization, expiry, outcome, name, is_default, first_transaction_id, details,
             created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        values![
            tenant,
            saved.id,
            saved.customer,
            saved.purpose.name(),
            fingerprint,
            &saved.card.bin,
            &saved.card.last4,
            &saved.card.organization,
            saved.card.expiry.map(Expiry::number),
            saved.card.outcome.as_ref().map(ToString::to_string),
            &saved.name,
            saved.is_default,
            saved.first_transaction,
            details::text(&saved.details)?,
            saved.created_at,
            saved.updated_at
        ],
    )?;
    Ok(())
}

/// Writes the changeable columns of a card.
pub fn update(
    connection: &Connection,
    tenant: Tenant,
    saved: &SavedCard,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE cards SET expiry = $3, name = $4, is_default = $5, details = $6, updated_at = $7
         WHERE tenant_id = $1 AND id = $2",
        values![
            tenant,
            saved.id,
            saved.card.expiry.map(Expiry::number),
            &saved.name,
            saved.is_default,
            details::text(&saved.details)?,
            saved.updated_at
        ],
    )?;
    Ok(())
}

/// Unsets the default card.
pub fn clear_default(connection: &Connection, shelf: &Shelf) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE cards SET is_default = 0
         WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3 AND is_default = 1",
        &shelf.values(),
    )?;
    Ok(())
}

/// A card of a customer.
pub fn find(
    connection: &Connection,
    shelf: &Shelf,
    id: Uuid,
) -> Result<Option<SavedCard>, StoreError> {
    let [tenant, customer, purpose] = shelf.values();
    connection.find(
        "SELECT * FROM cards
         WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3 AND id = $4",
        &[tenant, customer, purpose, id.into()],
        read,
    )
}

/// The scheme of a card of any customer.
pub fn organization_of(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<String>, StoreError> {
    connection.find(
        "SELECT organization FROM cards WHERE tenant_id = $1 AND id = $2",
        values![tenant, id],
        |row| row.at(0),
    )
}

/// The customer's card with this fingerprint of its number.
pub fn recognise(
    connection: &Connection,
    shelf: &Shelf,
    fingerprint: &[u8],
) -> Result<Option<SavedCard>, StoreError> {
    let [tenant, customer, purpose] = shelf.values();
    connection.find(
        "SELECT * FROM cards
         WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3 AND fingerprint = $4",
        &[tenant, customer, purpose, fingerprint.into()],
        read,
    )
}

/// A card of any customer that can receive payouts, with its fingerprint.
pub fn find_destination(
    connection: &Connection,
    tenant: Tenant,
    id: Uuid,
) -> Result<Option<(SavedCard, Vec<u8>)>, StoreError> {
    connection.find(
        "SELECT * FROM cards
         WHERE tenant_id = $1 AND id = $2 AND purpose IN ('payout-profile', 'recipient', 'payout')",
        values![tenant, id],
        |row| Ok((read(row)?, row.get("fingerprint")?)),
    )
}

/// A page of the cards of a customer.
pub fn list(
    connection: &Connection,
    shelf: &Shelf,
    page: &Page,
    sorted: &Sorted,
) -> Result<Vec<SavedCard>, StoreError> {
    page::read(
        connection,
        "SELECT * FROM cards WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3",
        &shelf.values(),
        (page, sorted, "id"),
        read,
    )
}

/// Whether the customer has a card with this purpose.
pub fn any(connection: &Connection, shelf: &Shelf) -> Result<bool, StoreError> {
    connection.exists(
        "SELECT 1 FROM cards WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3 LIMIT 1",
        &shelf.values(),
    )
}

/// Removes a card with its tokens; returns whether it existed.
pub fn remove(connection: &Connection, shelf: &Shelf, id: Uuid) -> Result<bool, StoreError> {
    let [tenant, customer, purpose] = shelf.values();
    connection.execute(
        "DELETE FROM payment_tokens WHERE tenant_id = $1 AND customer_id = $2 AND card_id = $3",
        &[tenant.clone(), customer.clone(), id.into()],
    )?;
    let removed = connection.execute(
        "DELETE FROM cards WHERE tenant_id = $1 AND customer_id = $2 AND purpose = $3 AND id = $4",
        &[tenant, customer, purpose, id.into()],
    )?;
    Ok(removed > 0)
}

/// Removes all saved cards of a customer.
pub fn remove_all(
    connection: &Connection,
    tenant: Tenant,
    customer: Uuid,
) -> Result<(), StoreError> {
    for table in [
        "payment_tokens",
        "cards",
        "presented_cards",
        "card_entries",
        "instant_recipients",
    ] {
        let sql = format!("DELETE FROM {table} WHERE tenant_id = $1 AND customer_id = $2");
        connection.execute(&sql, values![tenant, customer])?;
    }
    Ok(())
}

pub(super) fn read(row: &Row<'_>) -> Result<SavedCard, StoreError> {
    let purpose: String = row.get("purpose")?;
    let purpose = Purpose::ALL
        .into_iter()
        .find(|known| known.name() == purpose)
        .ok_or(StoreError::Corrupt("purpose"))?;
    Ok(SavedCard {
        id: row.get("id")?,
        customer: row.get("customer_id")?,
        purpose,
        card: card(row)?,
        name: row.get("name")?,
        is_default: row.get("is_default")?,
        first_transaction: row.get("first_transaction_id")?,
        details: details::read(row, "cards")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

/// Reads the columns that describe a card.
pub(super) fn card(row: &Row<'_>) -> Result<Card, StoreError> {
    let bin: String = row.get("bin")?;
    let expiry: Option<i64> = row.get("expiry")?;
    let expiry =
        expiry.map(|number| Expiry::from_number(number).ok_or(StoreError::Corrupt("expiry")));
    Ok(Card {
        last4: row.get("last4")?,
        organization: row.get("organization")?,
        expiry: expiry.transpose()?,
        issuer: Issuer::of(&bin),
        outcome: row.optional("outcome")?,
        bin,
    })
}
