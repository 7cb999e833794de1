//! Stores the secrets that sign merchants' notifications.

use jiff::Timestamp;

use super::Merchant;
use super::connection::Connection;
use super::error::StoreError;
use crate::domain::signature::Secret;
use crate::values;

/// The secrets that are valid at a time of the merchant's clock, newest first.
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

/// Adds a secret; earlier secrets keep signing until `others_until`.
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
