//! A server whose answers are a function of the request and the records so far.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use serde_json::Value;

/// A received request: `POST /things`, the headers and the body.
pub(crate) struct Received<'a> {
    pub(crate) line: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a Value,
}

/// Decides the answer; a string is plain text. The records are the bodies of earlier 201 answers.
pub(crate) type Rules = fn(&Received<'_>, &[Value]) -> (u16, Value);

#[derive(Clone)]
struct Server {
    rules: Rules,
    records: Arc<Mutex<Vec<Value>>>,
}

async fn answer(
    State(server): State<Server>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or_default();
    let request = Received {
        line: &format!("{method} {}", uri.path()),
        headers: &headers,
        body: &body,
    };
    let mut records = server.records.lock().unwrap();
    let (status, body) = (server.rules)(&request, &records);
    if status == 201 {
        records.push(body.clone());
    }
    let (media_type, body) = match body {
        Value::String(text) => ("text/plain", text),
        json => ("application/json", json.to_string()),
    };
    let response = Response::builder()
        .status(StatusCode::from_u16(status).unwrap())
        .header("content-type", media_type);
    response.body(Body::from(body)).unwrap()
}

/// Starts a server. Returns its address.
pub(crate) async fn start(rules: Rules) -> String {
    let server = Server {
        rules,
        records: Arc::default(),
    };
    let router = Router::new().fallback(answer).with_state(server);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}
