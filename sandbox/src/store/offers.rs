//! Payout offers.

use uuid::Uuid;

use super::Tenant;
use super::connection::Connection;
use super::engine::Row;
use super::error::StoreError;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::offer::Offer;
use crate::values;

/// The offers of the latest refresh, in the order of their creation.
pub fn of(
    connection: &Connection,
    tenant: Tenant,
    payout: Uuid,
    currency: Currency,
) -> Result<Vec<Offer>, StoreError> {
    connection.all(
        "SELECT attempt_id, attempt_no, provider_id, terms_uuid, expires_at, amount,
                crypto_amount, crypto_network_fee, selected
         FROM offers WHERE tenant_id = $1 AND transaction_id = $2 ORDER BY place",
        values![tenant, payout],
        |row| read(row, currency),
    )
}

/// Replaces the offers by those of a new refresh.
pub fn replace(
    connection: &Connection,
    tenant: Tenant,
    payout: Uuid,
    offers: &[Offer],
) -> Result<(), StoreError> {
    connection.execute(
        "DELETE FROM offers WHERE tenant_id = $1 AND transaction_id = $2",
        values![tenant, payout],
    )?;
    for (place, offer) in (0_i64..).zip(offers) {
        connection.execute(
            "INSERT INTO offers (tenant_id, attempt_id, transaction_id, place, attempt_no,
                 provider_id, terms_uuid, expires_at, amount, crypto_amount, crypto_network_fee,
                 selected)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            values![
                tenant,
                offer.attempt_id,
                payout,
                place,
                offer.attempt_no,
                &offer.provider_id,
                offer.terms_uuid,
                offer.expires_at,
                offer.amount_to_withdraw.minor(),
                offer.crypto_amount,
                offer.crypto_network_fee,
                offer.selected
            ],
        )?;
    }
    Ok(())
}

/// Stores which offer is selected.
pub fn select(connection: &Connection, tenant: Tenant, offers: &[Offer]) -> Result<(), StoreError> {
    // Unselect first, so that two offers are never selected at the same time.
    for selected in [false, true] {
        for offer in offers.iter().filter(|offer| offer.selected == selected) {
            connection.execute(
                "UPDATE offers SET selected = $3 WHERE tenant_id = $1 AND attempt_id = $2",
                values![tenant, offer.attempt_id, selected],
            )?;
        }
    }
    Ok(())
}

fn read(row: &Row<'_>, currency: Currency) -> Result<Offer, StoreError> {
    Ok(Offer {
        attempt_id: row.get("attempt_id")?,
        attempt_no: row.get("attempt_no")?,
        provider_id: row.get("provider_id")?,
        terms_uuid: row.get("terms_uuid")?,
        expires_at: row.get("expires_at")?,
        amount_to_withdraw: Money::new(row.get("amount")?, currency),
        crypto_amount: row.get("crypto_amount")?,
        crypto_network_fee: row.get("crypto_network_fee")?,
        selected: row.get("selected")?,
    })
}
