//! Operations of the area `transactions`.

use super::{API_KEY, BASIC};
use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat, Uuid, object};

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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CreatePurchaseCreatedHeaders {
    /// Whether this is the answer of an earlier request.
    pub idempotent_replayed: Option<bool>,
}

crate::headers! {
    CreatePurchaseCreatedHeaders: Ignored {
        0 "idempotent-replayed" => idempotent_replayed optional,
    }
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
#[derive(Clone, Debug, PartialEq)]
pub struct GetTransactionParameters {
    /// The id of the service.
    pub id: Uuid,
}

crate::parameters! {
    GetTransactionParameters: Ignored {
        0 "id" => id required,
    }
}

impl Validate for GetTransactionParameters {}
