//! Why a command did not come to pass.

use crate::domain::{Code, Rejection};
use crate::store::{Conflict, StoreError};

/// A refusal by the rules, or trouble with the database.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure {
    /// The rules refuse; the caller can do something about it.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The database failed; the caller can only try again.
    #[error(transparent)]
    Store(StoreError),
}

/// What the database cannot hold is the caller's to change; the rest is trouble.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Nul => Rejection::new(Code::ContractViolation, error.to_string()).into(),
            // Nobody else's fault than that of the sums that were asked for.
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
