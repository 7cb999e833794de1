//! Schemas of the area `transactions`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{BillingAddress, Customer};
use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Decimal, Nullable, Pattern, Sensitive, Timestamp, Uuid, nullable};

/// What starts a purchase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurchaseRequest {
    /// The merchant's id for the transaction.
    pub merchant_transaction_id: String,
    /// The amount, a decimal number.
    pub amount: Decimal,
    /// Three-letter currency code.
    pub currency: String,
    /// A remark; `null` deletes the one of the payment link.
    #[serde(default, skip_serializing_if = "Nullable::is_absent")]
    pub comment: Nullable<String>,
    /// The saved card to charge.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub card_token: Option<Sensitive<Uuid>>,
    /// Details of the card.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub card: Option<CardDetails>,
    /// Who pays.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub customer: Option<Customer>,
    /// Where the customer lives.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub billing_address: Option<BillingAddress>,
    /// Free fields for fraud checks.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub fraud_fields: Option<BTreeMap<String, String>>,
}

static CURRENCY: Pattern = Pattern::new("^[A-Z]{3}$");

impl PurchaseRequest {
    /// A value with its required properties.
    pub fn new(
        merchant_transaction_id: impl Into<String>,
        amount: Decimal,
        currency: impl Into<String>,
    ) -> Self {
        Self {
            merchant_transaction_id: merchant_transaction_id.into(),
            amount,
            currency: currency.into(),
            comment: Nullable::Absent,
            card_token: None,
            card: None,
            customer: None,
            billing_address: None,
            fraud_fields: None,
        }
    }
}

impl Validate for PurchaseRequest {
    fn validate(&self, found: &mut Violations<'_>) {
        let mut place = found.member("merchantTransactionId");
        constraint::min_length(&mut place, &self.merchant_transaction_id, 1);
        constraint::max_length(&mut place, &self.merchant_transaction_id, 64);
        constraint::pattern(&mut found.member("currency"), &self.currency, &CURRENCY);
        if let Nullable::Value(comment) = &self.comment {
            constraint::max_length(&mut found.member("comment"), comment, 200);
        }
        self.card.validate(&mut found.member("card"));
        self.billing_address
            .validate(&mut found.member("billingAddress"));
    }
}

/// Details of a card.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardDetails {
    /// Month and year.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub expiry_date: Option<Sensitive<String>>,
    /// Card verification value.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub cvv: Option<Sensitive<i64>>,
}

impl Validate for CardDetails {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(cvv) = &self.cvv {
            let mut place = found.member("cvv");
            constraint::minimum(&mut place, cvv.expose(), &0);
            constraint::maximum(&mut place, cvv.expose(), &9999);
        }
    }
}

/// What captures an authorized purchase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CaptureRequest {
    /// The transaction to capture.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub transaction_id: Option<Uuid>,
    /// The amount to capture.
    #[serde(
        default,
        deserialize_with = "nullable::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub amount: Option<Decimal>,
}

impl Validate for CaptureRequest {}

/// A transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    /// The id of the service.
    pub id: Uuid,
    /// The merchant's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merchant_transaction_id: Option<String>,
    /// The amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Decimal>,
    /// The state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<TransactionStatus>,
    /// When it was created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<Timestamp>,
    /// What can be done next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<TransactionActions>,
    /// The token of the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payment_token: Option<Sensitive<String>>,
    /// Where the customer lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billing_address: Option<BillingAddress>,
}

impl Transaction {
    /// A value with its required properties.
    pub fn new(id: Uuid) -> Self {
        Self {
            id,
            merchant_transaction_id: None,
            amount: None,
            status: None,
            created_at: None,
            actions: None,
            payment_token: None,
            billing_address: None,
        }
    }
}

/// What can be done with a transaction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionActions {
    /// It can be captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capture: Option<bool>,
}

/// The state of a transaction. More values than these may come.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TransactionStatus {
    /// `ACCEPTED`
    Accepted,
    /// `PENDING`
    Pending,
    /// A value that the document does not name.
    Unknown(String),
}

impl TransactionStatus {
    /// The value as it travels.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Accepted => "ACCEPTED",
            Self::Pending => "PENDING",
            Self::Unknown(text) => text,
        }
    }
}

impl From<&str> for TransactionStatus {
    fn from(text: &str) -> Self {
        match text {
            "ACCEPTED" => Self::Accepted,
            "PENDING" => Self::Pending,
            _ => Self::Unknown(text.to_owned()),
        }
    }
}

impl fmt::Display for TransactionStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for TransactionStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for TransactionStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| text.as_str().into())
    }
}
