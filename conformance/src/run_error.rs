//! Why a run ended without a verdict.

use std::io;

use crate::client::TargetError;

/// Why a run ended without a verdict.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The options cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The contract makes a false statement about its records.
    #[error("{0}")]
    Contract(String),
    /// The server cannot be reached.
    #[error(transparent)]
    Target(TargetError),
    /// An output could not be written.
    #[error("failed to write the account of the run: {0}")]
    Output(#[from] io::Error),
}

impl From<TargetError> for RunError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Address { .. } | TargetError::Part { .. } => {
                Self::Usage(error.to_string())
            }
            other => Self::Target(other),
        }
    }
}
