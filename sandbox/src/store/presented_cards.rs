//! Cards of transactions that are not accepted yet.

use uuid::Uuid;

use super::Tenant;
use super::cards::{self, Purpose};
use super::connection::Connection;
use super::error::StoreError;
use crate::domain::card::Card;
use crate::domain::expiry::Expiry;
use crate::values;

/// The card of a payment or a payout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PresentedCard {
    /// The customer.
    pub customer: Uuid,
    /// Whether the card pays or receives a payout.
    pub purpose: Purpose,
    /// The card.
    pub card: Card,
    /// The keyed hash of its number.
    pub fingerprint: Vec<u8>,
    /// Its display name.
    pub name: String,
    /// The id of the saved card, unless the customer has saved the same card before.
    pub card_id: Uuid,
    /// The payment token that will represent it.
    pub token: Option<Uuid>,
}

/// Stores the card of a transaction, in place of an earlier one.
pub fn put(
    connection: &Connection,
    tenant: Tenant,
    transaction: Uuid,
    presented: &PresentedCard,
) -> Result<(), StoreError> {
    take(connection, tenant, transaction)?;
    connection.execute(
        "INSERT INTO presented_cards (tenant_id, transaction_id, customer_id, purpose, fingerprint,
             bin, last4, organization, expiry, outcome, name, card_id, token)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        values![
            tenant,
            transaction,
            presented.customer,
            presented.purpose.name(),
            &presented.fingerprint,
            &presented.card.bin,
            &presented.card.last4,
            &presented.card.organization,
            presented.card.expiry.map(Expiry::number),
            presented.card.outcome.as_ref().map(ToString::to_string),
            &presented.name,
            presented.card_id,
            presented.token
        ],
    )?;
    Ok(())
}

/// Removes and returns the card of a transaction.
pub fn take(
    connection: &Connection,
    tenant: Tenant,
    transaction: Uuid,
) -> Result<Option<PresentedCard>, StoreError> {
    let purpose = |name: String| match name.as_str() {
        "payment" => Purpose::Payment,
        _ => Purpose::Payout,
    };
    connection.find(
        "DELETE FROM presented_cards WHERE tenant_id = $1 AND transaction_id = $2 RETURNING *",
        values![tenant, transaction],
        |row| {
            Ok(PresentedCard {
                customer: row.get("customer_id")?,
                purpose: purpose(row.get("purpose")?),
                card: cards::card(row)?,
                fingerprint: row.get("fingerprint")?,
                name: row.get("name")?,
                card_id: row.get("card_id")?,
                token: row.get("token")?,
            })
        },
    )
}
