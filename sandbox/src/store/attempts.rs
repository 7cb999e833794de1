//! Stores the earlier attempts of transactions that were retried.

use super::connection::Connection;
use super::error::StoreError;
use super::transactions::Record;
use crate::domain::authentication::Authentication;
use crate::domain::outcome::RejectCode;
use crate::values;

/// Stores the present state of a transaction as an ended attempt.
pub fn keep(connection: &Connection, record: &Record) -> Result<(), StoreError> {
    let ended = &record.transaction;
    connection.execute(
        "INSERT INTO attempts (tenant_id, transaction_id, number, status, reject_code,
             authentication, ended_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        values![
            record.tenant,
            ended.id,
            ended.attempts,
            ended.status.wire(),
            ended.decline.as_ref().map(RejectCode::as_str),
            ended.authentication.as_ref().map(Authentication::state),
            ended.modified_at
        ],
    )?;
    Ok(())
}
