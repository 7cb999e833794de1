//! A small shop with a billing service, documented as an ordinary team would do it (`shop.yaml`).
//! It has at most one fault.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use serde_json::{Value, json};

mod fault;
mod fields;
mod pages;
mod store;

pub(crate) use fault::{Aspect, Door, Fault, Rule, Style};
use store::Store;

/// The token that the shop accepts.
pub(crate) const TOKEN: &str = "shop-token-5e1f";

/// The delay between a check and its action, for a fault that allows races.
const GAP: Duration = Duration::from_millis(15);

/// A request as the rules see it.
#[derive(Clone)]
pub(crate) struct Ask {
    pub(crate) operation: &'static str,
    pub(crate) path: Vec<String>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) key: Option<String>,
    pub(crate) body: Value,
    /// Whether the checks have already passed.
    pub(crate) is_decided: bool,
}

/// An answer.
#[derive(Clone)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Option<Value>,
}

impl Reply {
    pub(crate) fn new(status: u16, body: Value) -> Self {
        let (headers, body) = (Vec::new(), Some(body));
        Self {
            status,
            headers,
            body,
        }
    }

    pub(crate) fn problem(status: u16, title: &str, detail: &str) -> Self {
        let kind = "https://billing.corner-shop.example/problems";
        let body = json!({"type": kind, "title": title, "status": status, "detail": detail});
        Self::new(status, body)
    }
}

#[derive(Clone)]
struct Shop {
    fault: Fault,
    style: Style,
    store: Arc<Mutex<Store>>,
}

/// Opens a shop.
pub(crate) async fn open(fault: Fault, style: Style) -> SocketAddr {
    let store = Arc::new(Mutex::new(Store::new(fault, style)));
    let shop = Shop {
        fault,
        style,
        store,
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(serve).with_state(shop);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    address
}

/// The operation of a method and a path: its id, and the keys in the path.
fn route(method: &Method, path: &str) -> Result<(&'static str, Vec<String>), &'static str> {
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let keys = |at: &[usize]| at.iter().map(|at| segments[*at].to_owned()).collect();
    let method = match method.as_str() {
        "HEAD" => "GET",
        other => other,
    };
    let (operations, keys): (&[(&str, &'static str)], Vec<String>) = match &segments[..] {
        ["customers"] => (
            &[("GET", "list_customers"), ("POST", "create_customer")],
            keys(&[]),
        ),
        ["customers", _] => (
            &[
                ("GET", "get_customer"),
                ("PATCH", "update_customer"),
                ("DELETE", "delete_customer"),
            ],
            keys(&[1]),
        ),
        ["charges"] => (
            &[("GET", "list_charges"), ("POST", "create_charge")],
            keys(&[]),
        ),
        ["charges", _] => (&[("GET", "get_charge")], keys(&[1])),
        ["charges", _, "capture"] => (&[("POST", "capture_charge")], keys(&[1])),
        ["charges", _, "cancel"] => (&[("POST", "cancel_charge")], keys(&[1])),
        ["charges", _, "refunds"] => (
            &[("GET", "list_refunds"), ("POST", "create_refund")],
            keys(&[1]),
        ),
        ["charges", _, "refunds", _] => (&[("GET", "get_refund")], keys(&[1, 3])),
        _ => return Err(""),
    };
    let operations = operations
        .iter()
        .find(|(operation, _)| *operation == method);
    match (operations, &segments[..]) {
        (Some((_, operation)), _) => Ok((operation, keys)),
        (None, ["customers" | "charges"] | ["charges", _, "refunds"]) => Err("GET, HEAD, POST"),
        (None, ["customers", _]) => Err("DELETE, GET, HEAD, PATCH"),
        (None, ["charges", _, "capture" | "cancel"]) => Err("POST"),
        (None, _) => Err("GET, HEAD"),
    }
}

async fn serve(
    State(shop): State<Shop>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    if let Some(pause) = shop.style.pause {
        tokio::time::sleep(pause).await;
    }
    let (operation, path) = match route(&method, uri.path()) {
        Ok(found) => found,
        Err("") => {
            return shop.response(
                "",
                Reply::problem(404, "Not Found", "there is no such page"),
            );
        }
        Err(allowed) => {
            let mut reply = Reply::problem(405, "Method Not Allowed", "not here");
            reply.headers.push(("allow", allowed.to_owned()));
            return shop.response("", reply);
        }
    };
    let mut ask = Ask {
        operation,
        path,
        query: query(uri.query().unwrap_or_default()),
        key: header(&headers, "idempotency-key").map(str::to_owned),
        body: Value::Null,
        is_decided: false,
    };
    let reply = match shop.refusal(&ask, &headers) {
        Some(refusal) => {
            if let (true, Ok(body)) = (
                shop.fault == Fault::Opens(operation, Door::TooLate),
                shop.read(&headers, &body, operation),
            ) {
                ask.body = body;
                shop.answer(ask).await;
            }
            refusal
        }
        None => match shop.read(&headers, &body, operation) {
            Ok(body) => {
                ask.body = body;
                shop.answer(ask).await
            }
            Err(refusal) => refusal,
        },
    };
    if shop.fault == Fault::Hangs(operation) {
        std::future::pending::<()>().await;
    }
    shop.response(operation, reply)
}

fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn query(text: &str) -> Vec<(String, String)> {
    let pairs = text.split('&').filter(|text| !text.is_empty());
    let decode = |text: &str| {
        let text = percent_encoding::percent_decode_str(text);
        text.decode_utf8_lossy().into_owned()
    };
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(name, value)| (decode(name), decode(value)))
        .collect()
}

impl Shop {
    /// Refuses a request without valid credentials.
    fn refusal(&self, ask: &Ask, headers: &HeaderMap) -> Option<Reply> {
        let credential = header(headers, "authorization").unwrap_or_default();
        let (scheme, token) = credential.split_once(' ').unwrap_or_default();
        let door = |door| self.fault == Fault::Opens(ask.operation, door);
        let is_known = (scheme.eq_ignore_ascii_case("bearer") && token == TOKEN)
            || (door(Door::Nobody) && credential.is_empty())
            || (door(Door::AnyToken) && scheme.eq_ignore_ascii_case("bearer"))
            || (door(Door::AnyScheme) && !credential.is_empty() && scheme != "Bearer");
        if is_known {
            return None;
        }
        let mut reply = Reply::problem(401, "Unauthorized", self.style.text("who are you?"));
        reply.body.as_mut().unwrap()["type"] = "about:blank".into();
        let realm = r#"Bearer realm="billing""#.to_owned();
        reply.headers.push(("www-authenticate", realm));
        Some(reply)
    }

    /// The JSON of a body.
    fn read(&self, headers: &HeaderMap, body: &[u8], operation: &str) -> Result<Value, Reply> {
        let kind = header(headers, "content-type").unwrap_or("application/json");
        if body.is_empty() || operation.starts_with("get") || operation.starts_with("list") {
            return Ok(Value::Null);
        }
        if !kind.starts_with("application/json") {
            let detail = self.style.text("send JSON");
            return Err(Reply::problem(415, "Unsupported Media Type", detail));
        }
        serde_json::from_slice(body).map_err(|_| {
            let detail = self.style.text("the body is not JSON");
            Reply::problem(400, "Bad Request", detail)
        })
    }

    async fn answer(&self, mut ask: Ask) -> Reply {
        if self.fault == Fault::Races(ask.operation) {
            // Acts later than it checks, so that other requests can come between.
            let mut copy = self.store.lock().unwrap().clone();
            let reply = copy.answer(&ask);
            if reply.status >= 300 {
                return reply;
            }
            tokio::time::sleep(GAP).await;
            ask.is_decided = true;
        }
        self.store.lock().unwrap().answer(&ask)
    }

    fn response(&self, operation: &str, mut reply: Reply) -> Response {
        let kind = if reply.status >= 400 {
            "application/problem+json"
        } else {
            "application/json"
        };
        if reply.body.is_some() {
            reply.headers.push(("content-type", kind.to_owned()));
        }
        let id = uuid::Uuid::from_u128(u128::from(self.store.lock().unwrap().number()));
        reply.headers.push(("x-request-id", id.to_string()));
        if self.style.more_headers {
            let server = "Corner/7 (shop)".to_owned();
            reply.headers.push(("server", server));
            reply.headers.push(("cache-control", "no-store".to_owned()));
            reply
                .headers
                .push(("x-ratelimit-remaining", "999".to_owned()));
        }
        self.fault.spoil(operation, &mut reply);
        let mut text = Vec::new();
        if let Some(mut body) = reply.body.take() {
            self.style.restyle(&mut body);
            text = serde_json::to_vec(&body).unwrap();
        }
        self.fault.rewrite(operation, reply.status, &mut text);
        let mut response = Response::builder().status(reply.status);
        for (name, value) in reply.headers {
            response = response.header(name, value);
        }
        response.body(Body::from(text)).unwrap()
    }
}
