//! Server stubs of the area `transactions`.

use std::future::ready;
use std::sync::Arc;

use crate::models::{CaptureRequest, Problem, PurchaseRequest, Transaction};
use crate::operations::transactions::{
    CAPTURE_TRANSACTION, CREATE_PURCHASE, CreatePurchaseCreatedHeaders, GET_TRANSACTION,
    GetTransactionParameters,
};
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// Purchases, captures and refunds.
pub trait Transactions: Send + Sync + 'static {
    /// Starts a purchase.
    ///
    /// `POST /v1/transactions`
    fn create_purchase(
        &self,
        context: Context,
        body: PurchaseRequest,
    ) -> impl Future<Output = CreatePurchaseResponse> + Send {
        let _ = body;
        ready(CreatePurchaseResponse::Other(context.not_implemented()))
    }

    /// Captures an authorized purchase.
    ///
    /// `POST /v1/transactions/capture`
    fn capture_transaction(
        &self,
        context: Context,
        body: CaptureRequest,
    ) -> impl Future<Output = CaptureTransactionResponse> + Send {
        let _ = body;
        ready(CaptureTransactionResponse::Other(context.not_implemented()))
    }

    /// Reads a transaction again.
    ///
    /// `GET /v1/transactions/{id}`
    fn get_transaction(
        &self,
        context: Context,
        parameters: GetTransactionParameters,
    ) -> impl Future<Output = GetTransactionResponse> + Send {
        let _ = parameters;
        ready(GetTransactionResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: Transactions>(implementation: &Arc<T>) -> Routes {
    Routes::new()
        .operation(&CREATE_PURCHASE, implementation, create_purchase)
        .operation(&CAPTURE_TRANSACTION, implementation, capture_transaction)
        .operation(&GET_TRANSACTION, implementation, get_transaction)
}

/// A router of the area.
pub fn router<T: Transactions>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `createPurchase`.
#[derive(Clone, Debug)]
pub enum CreatePurchaseResponse {
    /// 201: the transaction.
    Created(Transaction, CreatePurchaseCreatedHeaders),
    /// 404: a record that the request names is unknown.
    NotFound(Problem),
    /// 422: the request breaks the contract or a rule.
    UnprocessableContent(Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<CreatePurchaseResponse> for Answer {
    fn from(response: CreatePurchaseResponse) -> Self {
        match response {
            CreatePurchaseResponse::Created(ref body, headers) => {
                Answer::json(201, "application/json", body).with_headers(&headers)
            }
            CreatePurchaseResponse::NotFound(ref body) => {
                Answer::json(404, "application/problem+json", body)
            }
            CreatePurchaseResponse::UnprocessableContent(ref body) => {
                Answer::json(422, "application/problem+json", body)
            }
            CreatePurchaseResponse::Other(answer) => answer,
        }
    }
}

async fn create_purchase<T: Transactions>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json("application/json")?;
    let context = call.finish()?;
    Ok(implementation.create_purchase(context, body).await.into())
}

/// The answers of `captureTransaction`.
#[derive(Clone, Debug)]
pub enum CaptureTransactionResponse {
    /// 200: the transaction.
    Ok(Transaction),
    /// 404: the transaction is unknown.
    NotFound(Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<CaptureTransactionResponse> for Answer {
    fn from(response: CaptureTransactionResponse) -> Self {
        match response {
            CaptureTransactionResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            CaptureTransactionResponse::NotFound(ref body) => {
                Answer::json(404, "application/problem+json", body)
            }
            CaptureTransactionResponse::Other(answer) => answer,
        }
    }
}

async fn capture_transaction<T: Transactions>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let body = call.json("application/json")?;
    let context = call.finish()?;
    Ok(implementation
        .capture_transaction(context, body)
        .await
        .into())
}

/// The answers of `getTransaction`.
#[derive(Clone, Debug)]
pub enum GetTransactionResponse {
    /// 200: the transaction.
    Ok(Transaction),
    /// 404: the transaction is unknown.
    NotFound(Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<GetTransactionResponse> for Answer {
    fn from(response: GetTransactionResponse) -> Self {
        match response {
            GetTransactionResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            GetTransactionResponse::NotFound(ref body) => {
                Answer::json(404, "application/problem+json", body)
            }
            GetTransactionResponse::Other(answer) => answer,
        }
    }
}

async fn get_transaction<T: Transactions>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation
        .get_transaction(context, parameters)
        .await
        .into())
}
