//! Calls operations from inside the program, for example for triggers.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use http::{Method, StatusCode, header};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use serde_json::Value;

use super::{limits, problems, record, request_id};
use crate::exchanges::Recorder;
use crate::instruments::Instruments;
use crate::service::Service;
use crate::store::Merchant;

/// The most bytes that are read of an answer.
const LONGEST: usize = 1 << 20;

/// The operations, for callers that name the merchant themselves. Calls are recorded like requests
/// over a connection, and no faults are injected into them.
#[derive(Clone)]
pub struct Calls(TowerToHyperService<Router>);

/// The answer to a call.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its status.
    pub status: StatusCode,
    /// Its body; null when it is empty.
    pub body: Value,
}

impl fmt::Debug for Calls {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Calls")
    }
}

impl Calls {
    /// Wraps these operations.
    pub fn new(service: &Arc<Service>, instruments: &Arc<Instruments>, operations: Router) -> Self {
        let state = (Arc::clone(service), Arc::clone(instruments));
        let layered = operations
            .layer(from_fn(limits::bound))
            .layer(from_fn(name_merchant))
            .layer(from_fn(problems::complete))
            .layer(from_fn_with_state(state, record::record))
            .layer(from_fn(request_id::name));
        Self(TowerToHyperService::new(layered))
    }

    /// Calls an operation for a merchant.
    pub async fn call(
        &self,
        merchant: Merchant,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Answered {
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header(header::CONTENT_TYPE, "application/json")
            .extension(merchant)
            .body(Body::from(body.to_string()));
        let Ok(request) = request else {
            return Answered {
                status: StatusCode::BAD_REQUEST,
                body: Value::Null,
            };
        };
        // The router's error type has no values.
        let response: Response = match self.0.call(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status();
        let bytes = to_bytes(response.into_body(), LONGEST).await;
        let body = serde_json::from_slice(&bytes.unwrap_or_default()).unwrap_or_default();
        Answered { status, body }
    }
}

/// Tells the recorder the merchant of a call.
async fn name_merchant(request: Request, next: Next) -> Response {
    let extensions = request.extensions();
    if let (Some(recorder), Some(merchant)) =
        (extensions.get::<Recorder>(), extensions.get::<Merchant>())
    {
        recorder.merchant(*merchant);
    }
    next.run(request).await
}
