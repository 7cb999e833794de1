//! The list of requirements that a run is held to.

use serde::Serialize;

/// Which list of requirements a run was held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListIdentity {
    /// The name of its file, without the ending.
    pub name: String,
    /// The SHA-256 of the file.
    pub sha256: String,
}
