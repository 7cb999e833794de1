//! Injects faults: latency, errors, and connections that end without an answer.

use std::io;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};

use crate::contract::Contract;
use crate::domain::fault::Effect;
use crate::exchanges::Recorder;
use crate::faults::Hit;
use crate::instruments::Instruments;
use crate::store::Merchant;

/// Marks a response that does not arrive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dropped;

/// Applies the first fault that hits the request.
pub(super) async fn inject(
    State(instruments): State<Arc<Instruments>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(hit) = hit(&instruments, &request) else {
        return next.run(request).await;
    };
    if let Some(recorder) = request.extensions().get::<Recorder>() {
        recorder.fault(hit.fault);
    }
    if !hit.latency.is_zero() {
        tokio::time::sleep(hit.latency).await;
    }
    match hit.effect {
        None => next.run(request).await,
        Some(Effect::Status(status)) => fail(status, hit.fault),
        Some(Effect::DropRequest) => drop_connection(),
        Some(Effect::DropAnswer) => {
            next.run(request).await;
            drop_connection()
        }
    }
}

fn hit(instruments: &Instruments, request: &Request) -> Option<Hit> {
    if instruments.faults.is_empty() {
        return None;
    }
    let merchant = *request.extensions().get::<Merchant>()?;
    let (method, path) = (request.method().as_str(), request.uri().path());
    let operation = Contract::bundled().operations().find(method, path);
    let operation = operation.map(|operation| operation.id);
    instruments.faults.hit(merchant, operation, method, path)
}

/// An injected error; outer layers complete the problem.
fn fail(status: u16, fault: u64) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
    let detail = format!("fault {fault} was injected");
    let body = serde_json::json!({ "detail": detail }).to_string();
    (
        [(header::CONTENT_TYPE, "application/json")],
        (status, body).into_response(),
    )
        .into_response()
}

/// A body that fails before its first byte, so that the connection ends without an answer.
fn drop_connection() -> Response {
    let failure = Err::<Bytes, _>(io::Error::from(io::ErrorKind::ConnectionAborted));
    let body = Body::from_stream(futures_util::stream::once(std::future::ready(failure)));
    let mut response = Response::new(body);
    response.extensions_mut().insert(Dropped);
    response
}
