//! Schemas of the area `payment-links`.

use serde::{Deserialize, Serialize};

use crate::runtime::{Number, Uuid};

/// A page of payment links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkList {
    /// The links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Vec<PaymentLink>>,
}

/// A payment link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentLink {
    /// Its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// What is to be paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<PaymentLinkAmount>,
}

/// What is to be paid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentLinkAmount {
    /// Three-letter currency code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub currency: Option<String>,
    /// The amount, a JSON number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Number>,
}
