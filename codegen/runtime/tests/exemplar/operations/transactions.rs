//! Operations of the area `transactions`.

use serde::{Deserialize, Serialize};

use super::{API_KEY, BASIC};
use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat, Uuid};

/// `POST /v1/transactions`
pub static CREATE_PURCHASE: Operation = Operation {
    id: "createPurchase",
    method: "POST",
    path: "/v1/transactions",
    parameters: &[],
    security: &[&[API_KEY], &[BASIC]],
    request_id: Some("request-id"),
    repeat: Repeat::NaturalKey("merchantTransactionId"),
};

/// Headers of the answer 201 of `createPurchase`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CreatePurchaseCreatedHeaders {
    /// Whether this is the answer of an earlier request.
    #[serde(
        default,
        rename = "idempotent-replayed",
        skip_serializing_if = "Option::is_none"
    )]
    pub idempotent_replayed: Option<bool>,
}

/// `POST /v1/transactions/capture`
pub static CAPTURE_TRANSACTION: Operation = Operation {
    id: "captureTransaction",
    method: "POST",
    path: "/v1/transactions/capture",
    parameters: &[],
    security: &[&[API_KEY], &[BASIC]],
    request_id: Some("request-id"),
    repeat: Repeat::Never,
};

/// `GET /v1/transactions/{id}`
pub static GET_TRANSACTION: Operation = Operation {
    id: "getTransaction",
    method: "GET",
    path: "/v1/transactions/{id}",
    parameters: &[Parameter::path("id")],
    security: &[&[API_KEY], &[BASIC]],
    request_id: Some("request-id"),
    repeat: Repeat::Idempotent,
};

/// Parameters of `getTransaction`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GetTransactionParameters {
    /// The id of the service.
    pub id: Uuid,
}

impl Validate for GetTransactionParameters {}
