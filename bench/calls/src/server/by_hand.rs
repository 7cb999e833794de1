//! The server with handwritten handlers on axum.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use merchant_payments::models::{PaymentLinkPage, PaymentLinkStatus, PurchaseRequest, Transaction};
use serde::Deserialize;
use uuid::Uuid;

use super::Answers;

static REQUEST_ID: HeaderName = HeaderName::from_static("request-id");

pub(crate) fn router() -> anyhow::Result<Router> {
    Ok(Router::new()
        .route("/v1/transactions", post(create_purchase))
        .route("/v1/transactions/{id}", get(get_transaction))
        .route("/v1/payment-links", get(list_payment_links))
        .with_state(Arc::new(Answers::new()?)))
}

/// The documented query parameters.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the list is always the same")]
struct Filter {
    customer_email: Option<String>,
    status: Option<PaymentLinkStatus>,
    currency: Option<String>,
    creation_date_from: Option<String>,
    creation_date_to: Option<String>,
    show_hidden: Option<bool>,
    page: Option<i64>,
    items_per_page: Option<i64>,
}

/// The id of the request, or a new one, for the answer.
fn request_id(headers: &HeaderMap) -> [(HeaderName, HeaderValue); 1] {
    let given = headers.get(&REQUEST_ID).cloned();
    let id = given.or_else(|| Uuid::new_v4().to_string().try_into().ok());
    [(
        REQUEST_ID.clone(),
        id.unwrap_or(HeaderValue::from_static("")),
    )]
}

type Answer<T> = (StatusCode, [(HeaderName, HeaderValue); 1], Json<T>);

async fn create_purchase(
    State(answers): State<Arc<Answers>>,
    headers: HeaderMap,
    Json(_body): Json<PurchaseRequest>,
) -> Answer<Transaction> {
    let purchase = Json(answers.purchase.clone());
    (StatusCode::CREATED, request_id(&headers), purchase)
}

async fn get_transaction(
    State(answers): State<Arc<Answers>>,
    headers: HeaderMap,
    Path(_id): Path<Uuid>,
) -> Answer<Transaction> {
    let transaction = Json(answers.transaction.clone());
    (StatusCode::OK, request_id(&headers), transaction)
}

async fn list_payment_links(
    State(answers): State<Arc<Answers>>,
    headers: HeaderMap,
    Query(_filter): Query<Filter>,
) -> Answer<PaymentLinkPage> {
    (
        StatusCode::OK,
        request_id(&headers),
        Json(answers.links.clone()),
    )
}
