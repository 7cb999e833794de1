//! Why a command failed: a refusal or a database error.

use crate::domain::{Code, Rejection};
use crate::store::{Conflict, StoreError};

/// A refusal by the rules, or a database error.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure {
    /// The rules refuse the command; the caller can change the request.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The database failed; the caller can only retry.
    #[error(transparent)]
    Store(StoreError),
}

/// Values that the database cannot store are refusals; all other database errors stay errors.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Nul => Rejection::new(Code::ContractViolation, error.to_string()).into(),
            // The requested amounts cause the overflow.
            StoreError::BalanceTooLarge => {
                Rejection::at(Code::AmountRule, "/amount", error.to_string()).into()
            }
            error => Self::Store(error),
        }
    }
}

impl Conflict for Failure {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_conflict())
    }
}
