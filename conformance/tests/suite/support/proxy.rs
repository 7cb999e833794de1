//! A proxy between the runner and a server that changes one thing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

/// An answer in flight, with its request.
pub(crate) struct Passing {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Passing {
    /// Whether it answers a request such as `POST /v1/transactions`. `*` stands for a last segment.
    pub(crate) fn answers(&self, request: &str) -> bool {
        let (method, path) = request.split_once(' ').unwrap();
        let path = match path.strip_suffix('*') {
            Some(folder) => self
                .path
                .strip_prefix(folder)
                .is_some_and(|rest| !rest.contains('/')),
            None => self.path == path,
        };
        self.method.as_str() == method && path
    }

    /// Changes the JSON body of a success.
    pub(crate) fn edit(&mut self, change: impl Fn(&mut Value)) {
        if self.status / 100 == 2 {
            let mut body: Value = serde_json::from_slice(&self.body).unwrap();
            change(&mut body);
            self.body = serde_json::to_vec(&body).unwrap();
        }
    }

    /// Changes the body as text.
    pub(crate) fn rewrite(&mut self, from: &str, to: &str) {
        let text = String::from_utf8(self.body.clone()).unwrap();
        self.body = text.replacen(from, to, 1).into_bytes();
    }
}

/// Earlier bodies by path or another name.
pub(crate) type Memory = HashMap<String, Vec<u8>>;

/// The change that a proxy makes.
pub(crate) type Fault = fn(&mut Passing, &mut Memory);

#[derive(Clone)]
struct Proxy {
    server: String,
    client: reqwest::Client,
    fault: Fault,
    memory: Arc<Mutex<Memory>>,
}

/// Starts a proxy in front of a server. Returns its address.
pub(crate) async fn start(server: &str, fault: Fault) -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let proxy = Proxy {
        server: server.to_owned(),
        client: reqwest::Client::builder().no_proxy().build().unwrap(),
        fault,
        memory: Arc::default(),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(pass).with_state(proxy);
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

async fn pass(
    State(proxy): State<Proxy>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let target = uri.path_and_query().unwrap().as_str();
    let mut request = proxy
        .client
        .request(method.clone(), format!("{}{target}", proxy.server));
    for (name, value) in &headers {
        if name != "host" && name != "content-length" {
            request = request.header(name, value);
        }
    }
    let answer = request.body(body).send().await.unwrap();
    let mut headers = answer.headers().clone();
    for item in ["content-length", "transfer-encoding", "connection"] {
        headers.remove(item);
    }
    let mut passing = Passing {
        method,
        path: uri.path().to_owned(),
        status: answer.status().as_u16(),
        headers,
        body: answer.bytes().await.unwrap().to_vec(),
    };
    (proxy.fault)(&mut passing, &mut proxy.memory.lock().unwrap());
    let status = StatusCode::from_u16(passing.status).unwrap();
    (status, passing.headers, passing.body).into_response()
}
