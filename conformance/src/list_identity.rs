//! Identifies the list of requirements that a run applies.

use serde::Serialize;

/// The list of requirements that a run applies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListIdentity {
    /// The name of its file, without the extension.
    pub name: String,
    /// The SHA-256 of the file.
    pub sha256: String,
}
