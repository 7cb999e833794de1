//! Identifies the transaction of a command.

use uuid::Uuid;

use super::{Failure, Work};
use crate::domain::{Code, Rejection};
use crate::store::{self, Collection, Record};

/// The service's id, the merchant's id, or both.
#[derive(Clone, Debug)]
pub enum Target {
    /// The service's id.
    Id(Uuid),
    /// The merchant's id.
    Key(String),
    /// Both ids, which have to name the same transaction.
    Both(Uuid, String),
}

impl Target {
    /// The target of a command that may name it by either id; refused when both are absent.
    pub fn new(id: Option<Uuid>, key: Option<String>) -> Result<Self, Rejection> {
        match (id, key) {
            (Some(id), None) => Ok(Self::Id(id)),
            (None, Some(key)) => Ok(Self::Key(key)),
            (Some(id), Some(key)) => Ok(Self::Both(id, key)),
            (None, None) => Err(Rejection::at(
                Code::ContractViolation,
                "/transactionId",
                "one of transactionId and merchantTransactionId is needed",
            )),
        }
    }

    /// Loads the transaction from the tenant's records.
    pub(super) fn load(&self, work: &Work<'_>, collection: Collection) -> Result<Record, Failure> {
        let (connection, tenant) = (work.connection, work.tenant);
        let record = match self {
            Self::Id(id) | Self::Both(id, _) => store::find(connection, tenant, collection, *id)?,
            Self::Key(key) => store::by_merchant_id(connection, tenant, collection, key)?,
        };
        let record = record.ok_or_else(|| Rejection::unknown("transaction"))?;
        match self {
            Self::Both(_, key) if *key != record.transaction.merchant_transaction_id => {
                let detail = "transactionId and merchantTransactionId are not of one transaction";
                let pointer = "/merchantTransactionId";
                Err(Rejection::at(Code::ContractViolation, pointer, detail).into())
            }
            _ => Ok(record),
        }
    }
}
