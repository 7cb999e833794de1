//! What servers of tests have in common: a request is read, refused or answered, and one record may be fought
//! for where a fault lets others in between.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde_json::Value;

use crate::trials::trial::Opening;

/// What came in.
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) tenant: String,
    pub(crate) body: Value,
}

/// What is answered.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Value>,
}

/// What is done: a status with a body, or a refusal.
pub(crate) type Done = Result<(u16, Value), Reply>;

/// A server with everything that it knows.
pub(crate) trait Desk: Clone + Send + 'static {
    /// One that knows nothing yet, and is wrong in one thing.
    fn new(fault: &'static str) -> Self;

    /// What it is told to be wrong in.
    fn fault(&self) -> &'static str;

    /// Whether it is told to be wrong in this.
    fn is(&self, fault: &str) -> bool {
        self.fault() == fault
    }

    /// The refusal of whoever may not ask.
    fn refusal(&self, ask: &Ask) -> Option<Reply>;

    /// The media type of the body of a request.
    fn media_type(&self, _ask: &Ask) -> &'static str {
        "application/json"
    }

    /// The refusal of a body that cannot be read.
    fn unread(&self, status: u16) -> Reply;

    /// Answers.
    fn answer(&mut self, ask: &Ask) -> Reply;
}

/// Opens a server with a fault; its address.
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

/// Whether a body is an object with nothing but these.
pub(crate) fn has_only(body: &Value, names: &[&str]) -> bool {
    let own = body.as_object();
    own.is_some_and(|own| own.keys().all(|key| names.contains(&key.as_str())))
}

async fn serve<D: Desk>(
    State(desk): State<Arc<Mutex<D>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let path = uri.path().trim_matches('/').split('/').map(str::to_owned);
    let tenant = headers.get("x-tenant-id").and_then(|own| own.to_str().ok());
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

/// Answers; where a fault lets others in between, what is checked now is done a little later.
async fn act<D: Desk>(desk: &Mutex<D>, ask: &Ask) -> Reply {
    let fault = desk.lock().unwrap().fault();
    let races = fault.strip_prefix("race-");
    if races.is_some() && ask.path.last().map(String::as_str) == races && ask.method == Method::POST
    {
        let mut before = desk.lock().unwrap().clone();
        let reply = before.answer(ask);
        if reply.status < 300 {
            tokio::time::sleep(Duration::from_millis(15)).await;
            // Whoever is late is granted all the same.
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
    let pairs = text.split('&').filter(|own| !own.is_empty());
    pairs
        .map(|own| own.split_once('=').unwrap_or((own, "")))
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
        value.and_then(|own| own.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        let mut pairs = self.query.iter();
        let (_, value) = pairs.find(|(own, _)| own == name)?;
        Some(value)
    }

    /// HEAD is answered as GET is.
    pub(crate) fn method(&self) -> &str {
        match self.method.as_str() {
            "HEAD" => "GET",
            own => own,
        }
    }
}

impl Reply {
    /// What is done, or its refusal; nothing is said with 204.
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
