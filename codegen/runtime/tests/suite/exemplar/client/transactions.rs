//! Client of the area `transactions`.

use std::sync::Arc;

use crate::models::{CaptureRequest, Problem, PurchaseRequest, Transaction};
use crate::operations::transactions::{
    CAPTURE_TRANSACTION, CREATE_PURCHASE, GET_TRANSACTION, GetTransactionParameters,
};
use crate::runtime;
use crate::runtime::client::{Connection, Endpoint, Explain, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation, Uuid};

/// Purchases, captures and refunds.
#[derive(Clone, Debug)]
pub struct Transactions {
    connection: Arc<Connection>,
}

impl Transactions {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// Starts a purchase.
    ///
    /// `POST /v1/transactions`
    pub fn create_purchase(&self, body: &PurchaseRequest) -> Request<CreatePurchase> {
        Request::new(&self.connection, ()).json("application/json", body)
    }

    /// Captures an authorized purchase.
    ///
    /// `POST /v1/transactions/capture`
    pub fn capture_transaction(&self, body: &CaptureRequest) -> Request<CaptureTransaction> {
        Request::new(&self.connection, ()).json("application/json", body)
    }

    /// Reads a transaction again.
    ///
    /// `GET /v1/transactions/{id}`
    pub fn get_transaction(&self, id: Uuid) -> Request<GetTransaction> {
        Request::new(&self.connection, GetTransactionParameters { id })
    }
}

/// The operation `createPurchase`.
#[derive(Clone, Copy, Debug)]
pub struct CreatePurchase;

/// The documented refusals of `createPurchase`.
#[derive(Clone, Debug, PartialEq)]
pub enum CreatePurchaseError {
    /// 404: a record that the request names is unknown.
    NotFound(Problem),
    /// 422: the request breaks the contract or a rule.
    UnprocessableContent(Problem),
}

impl Explain for CreatePurchaseError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::NotFound(body) | Self::UnprocessableContent(body) => body.problem(),
        }
    }
}

impl Endpoint for CreatePurchase {
    type Parameters = ();
    type Success = Transaction;
    type Error = CreatePurchaseError;

    const OPERATION: &'static Operation = &CREATE_PURCHASE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            201 => Outcome::Success(answer.read_json()?),
            404 => Outcome::Refused(CreatePurchaseError::NotFound(answer.read_json()?)),
            422 => Outcome::Refused(CreatePurchaseError::UnprocessableContent(
                answer.read_json()?,
            )),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `captureTransaction`.
#[derive(Clone, Copy, Debug)]
pub struct CaptureTransaction;

/// The documented refusals of `captureTransaction`.
#[derive(Clone, Debug, PartialEq)]
pub enum CaptureTransactionError {
    /// 404: the transaction is unknown.
    NotFound(Problem),
}

impl Explain for CaptureTransactionError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::NotFound(body) => body.problem(),
        }
    }
}

impl Endpoint for CaptureTransaction {
    type Parameters = ();
    type Success = Transaction;
    type Error = CaptureTransactionError;

    const OPERATION: &'static Operation = &CAPTURE_TRANSACTION;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            404 => Outcome::Refused(CaptureTransactionError::NotFound(answer.read_json()?)),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `getTransaction`.
#[derive(Clone, Copy, Debug)]
pub struct GetTransaction;

/// The documented refusals of `getTransaction`.
#[derive(Clone, Debug, PartialEq)]
pub enum GetTransactionError {
    /// 404: the transaction is unknown.
    NotFound(Problem),
}

impl Explain for GetTransactionError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::NotFound(body) => body.problem(),
        }
    }
}

impl Endpoint for GetTransaction {
    type Parameters = GetTransactionParameters;
    type Success = Transaction;
    type Error = GetTransactionError;

    const OPERATION: &'static Operation = &GET_TRANSACTION;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            404 => Outcome::Refused(GetTransactionError::NotFound(answer.read_json()?)),
            _ => Outcome::Undocumented,
        })
    }
}
