//! Recipients of instant transfers.

use serde::{Deserialize, Serialize};

/// What a merchant says of a recipient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstantRecipientDetails {
    /// How far the recipient has been checked.
    pub status: String,
    /// Whether it is a person or a company.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entity_type: Option<String>,
    /// What the check of the recipient showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_status: Option<String>,
    /// When the recipient was checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification_date: Option<String>,
}
