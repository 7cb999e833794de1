//! Payout offers.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use uuid::Uuid;

use super::error::StoreError;
use crate::domain::currency::Currency;
use crate::domain::money::Money;
use crate::domain::offer::Offer;

/// The offers of the latest refresh, in the order they were made.
pub fn of(
    connection: &Connection,
    payout: Uuid,
    currency: Currency,
) -> Result<Vec<Offer>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT attempt_id, attempt_no, provider_id, terms_uuid, expires_at, amount,
                crypto_amount, crypto_network_fee, selected
         FROM offers WHERE transaction_id = ?1 ORDER BY rowid",
    )?;
    let mut rows = statement.query([payout.hyphenated().to_string()])?;
    let mut offers = Vec::new();
    while let Some(row) = rows.next()? {
        offers.push(read(row, currency)?);
    }
    Ok(offers)
}

/// Puts the offers of a refresh in the place of those before.
pub fn replace(connection: &Connection, payout: Uuid, offers: &[Offer]) -> Result<(), StoreError> {
    let payout = payout.hyphenated().to_string();
    connection
        .prepare_cached("DELETE FROM offers WHERE transaction_id = ?1")?
        .execute([&payout])?;
    let mut statement = connection.prepare_cached(
        "INSERT INTO offers (attempt_id, transaction_id, attempt_no, provider_id, terms_uuid,
             expires_at, amount, crypto_amount, crypto_network_fee, selected)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    for offer in offers {
        statement.execute(params![
            offer.attempt_id.hyphenated().to_string(),
            payout,
            offer.attempt_no,
            offer.provider_id,
            offer.terms_uuid.hyphenated().to_string(),
            offer.expires_at.as_millisecond(),
            offer.amount_to_withdraw.minor(),
            offer.crypto_amount,
            offer.crypto_network_fee,
            offer.selected,
        ])?;
    }
    Ok(())
}

/// Keeps which of the offers was taken.
pub fn select(connection: &Connection, offers: &[Offer]) -> Result<(), StoreError> {
    // Those that are not taken first: at no moment are there two.
    let mut statement =
        connection.prepare_cached("UPDATE offers SET selected = ?2 WHERE attempt_id = ?1")?;
    for selected in [false, true] {
        for offer in offers.iter().filter(|offer| offer.selected == selected) {
            statement.execute(params![offer.attempt_id.hyphenated().to_string(), selected])?;
        }
    }
    Ok(())
}

fn read(row: &Row<'_>, currency: Currency) -> Result<Offer, StoreError> {
    let id = |column: usize| -> Result<Uuid, StoreError> {
        let text: String = row.get(column)?;
        text.parse().map_err(|_| StoreError::Corrupt("id"))
    };
    Ok(Offer {
        attempt_id: id(0)?,
        attempt_no: row.get(1)?,
        provider_id: row.get(2)?,
        terms_uuid: id(3)?,
        expires_at: Timestamp::from_millisecond(row.get(4)?)
            .map_err(|_| StoreError::Corrupt("time"))?,
        amount_to_withdraw: Money::new(row.get(5)?, currency),
        crypto_amount: row.get(6)?,
        crypto_network_fee: row.get(7)?,
        selected: row.get(8)?,
    })
}
