//! Why a run ended without a verdict.

use std::io;

use crate::client::TargetError;

/// Why there is no verdict on the server.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What was asked for cannot be done.
    #[error("{0}")]
    Usage(String),
    /// What the contract says of its records is not so.
    #[error("{0}")]
    Contract(String),
    /// The target cannot be reached.
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
