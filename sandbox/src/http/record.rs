//! Counts every exchange and records those of merchants for the inspector.

use std::sync::Arc;
use std::time::Instant;

use axum::body::{Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderMap;
use jiff::Timestamp;

use super::inject::Dropped;
use super::request_id::RequestId;
use crate::contract::Contract;
use crate::exchanges::{Exchange, Learnt, Message, Recorder};
use crate::instruments::Instruments;
use crate::service::Service;

/// The most bytes of an answer; no answer is longer.
const LONGEST: usize = 64 << 20;

/// The request of an exchange, before its answer.
struct Half {
    begun: Instant,
    at: Timestamp,
    request_id: String,
    method: String,
    path: String,
    query: Option<String>,
    headers: HeaderMap,
    operation: Option<&'static str>,
}

/// The outermost layer: records exchanges.
pub(super) async fn record(
    State((service, instruments)): State<(Arc<Service>, Arc<Instruments>)>,
    mut request: Request,
    next: Next,
) -> Response {
    let half = Half::of(&request);
    let recorder = Recorder::default();
    request.extensions_mut().insert(recorder.clone());
    let response = next.run(request).await;
    let dropped = response.extensions().get::<Dropped>().is_some();
    let status = response.status().as_u16();
    let operation = half.operation.unwrap_or("other");
    service
        .metrics()
        .answered(operation, status, half.begun.elapsed());
    let learnt = recorder.take();
    let Some(merchant) = learnt.merchant else {
        return response;
    };
    let (parts, body) = response.into_parts();
    if dropped {
        let exchange = half.exchange(&learnt, None, Message::default());
        instruments.log.add(merchant, exchange);
        return Response::from_parts(parts, body);
    }
    let bytes: Bytes = to_bytes(body, LONGEST).await.unwrap_or_default();
    let answer = Message::of(&parts.headers, &bytes, Contract::bundled());
    let exchange = half.exchange(&learnt, Some(status), answer);
    instruments.log.add(merchant, exchange);
    Response::from_parts(parts, bytes.into())
}

impl Half {
    fn of(request: &Request) -> Self {
        let (method, uri) = (request.method().as_str(), request.uri());
        let id = request.extensions().get::<RequestId>();
        let operation = Contract::bundled().operations().find(method, uri.path());
        Self {
            begun: Instant::now(),
            at: Timestamp::now(),
            request_id: id.map(|id| id.0.clone()).unwrap_or_default(),
            method: method.to_owned(),
            path: uri.path().to_owned(),
            query: uri.query().map(str::to_owned),
            headers: request.headers().clone(),
            operation: operation.map(|operation| operation.id),
        }
    }

    fn exchange(self, learnt: &Learnt, status: Option<u16>, answer: Message) -> Exchange {
        let contract = Contract::bundled();
        Exchange {
            number: 0,
            at: self.at,
            took: self.begun.elapsed(),
            request_id: Message::text(&self.request_id),
            method: self.method,
            target: Message::target(&self.path, self.query.as_deref(), contract),
            operation: self.operation,
            status,
            fault: learnt.fault,
            request: Message::of(&self.headers, &learnt.body, contract),
            answer,
        }
    }
}
