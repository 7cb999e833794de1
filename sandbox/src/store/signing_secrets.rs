//! What merchants' notifications are signed with.

use jiff::Timestamp;

use super::Merchant;
use super::connection::Connection;
use super::error::StoreError;
use crate::domain::signature::Secret;
use crate::values;

/// The secrets that sign at this time of the merchant's clock, the newest first.
pub fn of(
    connection: &Connection,
    merchant: Merchant,
    now: Timestamp,
) -> Result<Vec<Secret>, StoreError> {
    connection.all(
        "SELECT secret FROM signing_secrets
         WHERE merchant_id = $1 AND (retires_at IS NULL OR retires_at > $2) ORDER BY number DESC",
        values![merchant, now],
        |row| Secret::new(row.at(0)?).ok_or(StoreError::Corrupt("signing secret")),
    )
}

/// Adds a secret; those before it go on signing until then.
pub fn add(
    connection: &Connection,
    merchant: Merchant,
    secret: &Secret,
    others_until: Timestamp,
) -> Result<(), StoreError> {
    connection.execute(
        "UPDATE signing_secrets SET retires_at = $2 WHERE merchant_id = $1 AND retires_at IS NULL",
        values![merchant, others_until],
    )?;
    connection.execute(
        "INSERT INTO signing_secrets (merchant_id, number, secret) VALUES ($1,
             (SELECT coalesce(max(number), 0) + 1 FROM signing_secrets WHERE merchant_id = $1), $2)",
        values![merchant, secret.bytes()],
    )?;
    Ok(())
}
