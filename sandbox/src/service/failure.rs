//! Why a command did not come to pass.

use crate::domain::Rejection;
use crate::store::StoreError;

/// A refusal by the rules, or trouble with the database.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Failure {
    /// The rules refuse; the caller can do something about it.
    #[error("{0}")]
    Rejected(#[from] Rejection),
    /// The database failed; the caller can only try again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Store(error.into())
    }
}
