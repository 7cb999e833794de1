//! Schemas of the area `transactions`.

use std::collections::BTreeMap;

use super::{BillingAddress, Customer};
use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Decimal, Nullable, Pattern, Sensitive, Timestamp, Uuid, choice, object};

/// What starts a purchase.
#[derive(Clone, Debug, PartialEq)]
pub struct PurchaseRequest {
    /// The merchant's id for the transaction.
    pub merchant_transaction_id: String,
    /// The amount, a decimal number.
    pub amount: Decimal,
    /// Three-letter currency code.
    pub currency: String,
    /// A remark; `null` deletes the one of the payment link.
    pub comment: Nullable<String>,
    /// The saved card to charge.
    pub card_token: Option<Sensitive<Uuid>>,
    /// Details of the card.
    pub card: Option<CardDetails>,
    /// Who pays.
    pub customer: Option<Customer>,
    /// Where the customer lives.
    pub billing_address: Option<BillingAddress>,
    /// Free fields for fraud checks.
    pub fraud_fields: Option<BTreeMap<String, String>>,
}

crate::object! {
    PurchaseRequest: Ignored {
        0 "merchantTransactionId" => merchant_transaction_id required,
        1 "amount" => amount required,
        2 "currency" => currency required,
        3 "comment" => comment nullable,
        4 "cardToken" => card_token optional,
        5 "card" => card optional,
        6 "customer" => customer optional,
        7 "billingAddress" => billing_address optional,
        8 "fraudFields" => fraud_fields optional,
    }
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardDetails {
    /// Month and year.
    pub expiry_date: Option<Sensitive<String>>,
    /// Card verification value.
    pub cvv: Option<Sensitive<i64>>,
}

crate::object! {
    CardDetails: Ignored {
        0 "expiryDate" => expiry_date optional,
        1 "cvv" => cvv optional,
    }
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CaptureRequest {
    /// The transaction to capture.
    pub transaction_id: Option<Uuid>,
    /// The amount to capture.
    pub amount: Option<Decimal>,
}

crate::object! {
    CaptureRequest: Ignored {
        0 "transactionId" => transaction_id optional,
        1 "amount" => amount optional,
    }
}

impl Validate for CaptureRequest {}

/// A transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Transaction {
    /// The id of the service.
    pub id: Uuid,
    /// The merchant's id.
    pub merchant_transaction_id: Option<String>,
    /// The amount.
    pub amount: Option<Decimal>,
    /// The state.
    pub status: Option<TransactionStatus>,
    /// When it was created.
    pub created_at: Option<Timestamp>,
    /// What can be done next.
    pub actions: Option<TransactionActions>,
    /// The token of the payment.
    pub payment_token: Option<Sensitive<String>>,
    /// Where the customer lives.
    pub billing_address: Option<BillingAddress>,
}

crate::object! {
    Transaction: Ignored {
        0 "id" => id required,
        1 "merchantTransactionId" => merchant_transaction_id optional,
        2 "amount" => amount optional,
        3 "status" => status optional,
        4 "createdAt" => created_at optional,
        5 "actions" => actions optional,
        6 "paymentToken" => payment_token optional,
        7 "billingAddress" => billing_address optional,
    }
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactionActions {
    /// It can be captured.
    pub capture: Option<bool>,
}

crate::object! {
    TransactionActions: Ignored {
        0 "capture" => capture optional,
    }
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

crate::choice! {
    TransactionStatus {
        "ACCEPTED" => Accepted,
        "PENDING" => Pending,
    } or Unknown
}
