//! The common part of the test servers: reads a request, then refuses or answers it. A fault can
//! allow races for one record.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde_json::Value;

use crate::trials::trial::Opening;

/// A received request.
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) tenant: String,
    pub(crate) body: Value,
}

/// An answer.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Value>,
}

/// The result of an operation: a status with a body, or a refusal.
pub(crate) type Done = Result<(u16, Value), Reply>;

/// A server with its state.
pub(crate) trait Desk: Clone + Send + 'static {
    /// Creates an empty server with a fault.
    fn new(fault: &'static str) -> Self;

    /// The fault of the server; empty for none.
    fn fault(&self) -> &'static str;

    /// Whether the server has a fault.
    fn is(&self, fault: &str) -> bool {
        self.fault() == fault
    }

    /// The refusal of a request without valid credentials.
    fn refusal(&self, ask: &Ask) -> Option<Reply>;

    /// The media type of the body of a request.
    fn media_type(&self, _ask: &Ask) -> &'static str {
        "application/json"
    }

    /// The refusal of a body that cannot be read.
    fn unread(&self, status: u16) -> Reply;

    /// Answers a request.
    fn answer(&mut self, ask: &Ask) -> Reply;
}

/// Opens a server with a fault. Returns its address.
pub(crate) fn open<D: Desk>(fault: &'static str) -> Opening {
    Box::pin(async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .fallback(serve::<D>)
            .with_state(Arc::new(Mutex::new(D::new(fault))));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        format!("http://{address}")
    })
}

/// Whether a body is an object with only these properties.
pub(crate) fn has_only(body: &Value, names: &[&str]) -> bool {
    let object = body.as_object();
    object.is_some_and(|object| object.keys().all(|key| names.contains(&key.as_str())))
}

async fn serve<D: Desk>(
    State(desk): State<Arc<Mutex<D>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().trim_matches('/').split('/').map(str::to_owned);
    let tenant = headers
        .get("x-tenant-id")
        .and_then(|header| header.to_str().ok());
    let mut ask = Ask {
        method,
        path: path.collect(),
        query: query(uri.query().unwrap_or_default()),
        tenant: tenant.unwrap_or_default().to_owned(),
        headers,
        body: Value::Null,
    };
    let refusal = read(&*desk.lock().unwrap(), &mut ask, &body);
    let reply = match refusal {
        Some(refusal) => refusal,
        None => act(&desk, &ask).await,
    };
    let is_head = ask.method == Method::HEAD;
    response(reply, is_head)
}

fn read<D: Desk>(desk: &D, ask: &mut Ask, body: &Bytes) -> Option<Reply> {
    if let Some(refusal) = desk.refusal(ask) {
        return Some(refusal);
    }
    if body.is_empty() {
        return None;
    }
    if !ask.header("content-type").starts_with(desk.media_type(ask)) {
        return Some(desk.unread(415));
    }
    match serde_json::from_slice(body) {
        Ok(body) => ask.body = body,
        Err(_) => return Some(desk.unread(400)),
    }
    None
}

/// Answers a request. A fault may act a little later than it checks, so that other requests can
/// come between.
async fn act<D: Desk>(desk: &Mutex<D>, ask: &Ask) -> Reply {
    let fault = desk.lock().unwrap().fault();
    let races = fault.strip_prefix("race-");
    if races.is_some() && ask.path.last().map(String::as_str) == races && ask.method == Method::POST
    {
        let mut before = desk.lock().unwrap().clone();
        let reply = before.answer(ask);
        if reply.status < 300 {
            tokio::time::sleep(Duration::from_millis(15)).await;
            // Accepts the late request all the same.
            desk.lock().unwrap().answer(ask);
        }
        return reply;
    }
    desk.lock().unwrap().answer(ask)
}

fn query(text: &str) -> Vec<(String, String)> {
    let decode = |text: &str| {
        let text = percent_encoding::percent_decode_str(text);
        text.decode_utf8_lossy().into_owned()
    };
    let pairs = text.split('&').filter(|text| !text.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

fn response(reply: Reply, is_head: bool) -> Response {
    let mut response = Response::builder().status(reply.status);
    let has_type = reply
        .headers
        .iter()
        .any(|(name, _)| *name == "content-type");
    for (name, value) in reply.headers {
        response = response.header(name, value);
    }
    let text = reply.body.map(|body| serde_json::to_vec(&body).unwrap());
    if text.is_some() && !has_type {
        response = response.header("content-type", "application/json");
    }
    let text = text.unwrap_or_default();
    if is_head {
        response = response.header("content-length", text.len());
        return response.body(Body::empty()).unwrap();
    }
    response.body(Body::from(text)).unwrap()
}

impl Ask {
    pub(crate) fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.iter();
        let (_, value) = pairs.find(|(pair, _)| pair == name)?;
        Some(value)
    }

    /// The method; HEAD counts as GET.
    pub(crate) fn method(&self) -> &str {
        match self.method.as_str() {
            "HEAD" => "GET",
            method => method,
        }
    }
}

impl Reply {
    /// The answer for a result. A 204 has no body.
    pub(crate) fn of(done: Done) -> Self {
        done.map_or_else(
            |refusal| refusal,
            |(status, body)| Self {
                status,
                headers: Vec::new(),
                body: (status != 204).then_some(body),
            },
        )
    }

    pub(crate) fn new(status: u16, body: Value) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Some(body),
        }
    }
}
