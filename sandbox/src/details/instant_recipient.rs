//! Recipients of instant transfers.

use serde::{Deserialize, Serialize};

/// Descriptive fields of a recipient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantRecipientDetails {
    /// The status of the verification.
    pub status: String,
    /// Whether it is a person or a company.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    /// The result of the verification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_status: Option<String>,
    /// When the recipient was verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_date: Option<String>,
}
