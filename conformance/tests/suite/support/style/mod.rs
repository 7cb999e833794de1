//! A proxy that changes a correct server's answers to another form that the document allows.
//! Findings behind it are false.

mod cursors;
mod identifiers;
mod members;
mod page_order;
mod route;
mod texts;
mod timestamps;

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use identifiers::Identifiers;
use route::{Route, Routes};
use timestamps::Timestamps;

/// A form of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Other ids, and timestamps in another form of RFC 3339.
    Spelling,
    /// Members that the document allows and does not declare.
    ExtraMembers,
    /// 400 where the server could send 422.
    OtherRefusals,
    /// Opaque cursors, and a reversed order of lists without a documented order.
    OtherOrder,
    /// Late answers, some much later, and closed connections.
    SlowConnections,
}

impl Style {
    /// All styles.
    pub(crate) const ALL: [Self; 5] = [
        Self::Spelling,
        Self::ExtraMembers,
        Self::OtherRefusals,
        Self::OtherOrder,
        Self::SlowConnections,
    ];

    /// Whether a style makes a difference for a document.
    pub(crate) fn applies_to(self, document: &Path) -> bool {
        match self {
            Self::OtherRefusals => Routes::new(document).has_two_refusals(),
            Self::OtherOrder => Routes::new(document).has_free_order(),
            Self::Spelling | Self::ExtraMembers | Self::SlowConnections => true,
        }
    }
}

struct Proxy {
    server: String,
    client: reqwest::Client,
    style: Style,
    routes: Routes,
    identifiers: Mutex<Identifiers>,
    timestamps: Mutex<Timestamps>,
    answered: Mutex<u32>,
}

/// A request in flight.
struct Request {
    url: String,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// An answer that can be changed.
struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// Starts a proxy in front of a correct server. Returns its address.
pub(crate) async fn start(server: &str, document: &Path, style: Style) -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let text = std::fs::read_to_string(document).unwrap();
    let proxy = Proxy {
        server: server.to_owned(),
        client: reqwest::Client::builder().no_proxy().build().unwrap(),
        style,
        routes: Routes::new(document),
        identifiers: Mutex::new(Identifiers::new(text)),
        timestamps: Mutex::default(),
        answered: Mutex::default(),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(pass).with_state(Arc::new(proxy));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

async fn pass(
    State(proxy): State<Arc<Proxy>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let route = proxy.routes.find(&method, uri.path());
    let target = uri.path_and_query().unwrap().as_str();
    let target = texts::map_target(target, &mut |text| proxy.original(text));
    let request = Request {
        url: format!("{}{target}", proxy.server),
        headers,
        body: proxy.original_body(&body),
    };
    let mut answer = proxy.forward(&method, &request).await;
    if method == Method::HEAD && answer.status == 200 {
        // The length belongs to the changed body.
        answer = proxy.forward(&Method::GET, &request).await;
    }
    proxy.change(&mut answer, route.as_ref()).await;
    let status = StatusCode::from_u16(answer.status).unwrap();
    (status, answer.headers, answer.body).into_response()
}

impl Proxy {
    async fn forward(&self, method: &Method, request: &Request) -> Answer {
        let mut sent = self.client.request(method.clone(), &request.url);
        for (name, value) in &request.headers {
            if name != header::HOST && name != header::CONTENT_LENGTH {
                sent = sent.header(name, value);
            }
        }
        let answer = sent.body(request.body.clone()).send().await.unwrap();
        let mut headers = answer.headers().clone();
        for name in [
            header::CONTENT_LENGTH,
            header::TRANSFER_ENCODING,
            header::CONNECTION,
        ] {
            headers.remove(name);
        }
        Answer {
            status: answer.status().as_u16(),
            headers,
            body: answer.bytes().await.unwrap().to_vec(),
        }
    }

    /// A text of a request in its original form.
    fn original(&self, text: &str) -> Option<String> {
        match self.style {
            Style::Spelling => {
                let known = self.identifiers.lock().unwrap().original(text);
                known.or_else(|| self.timestamps.lock().unwrap().original(text))
            }
            Style::OtherOrder => cursors::opened(text),
            _ => None,
        }
    }

    fn original_body(&self, body: &Bytes) -> Vec<u8> {
        let Ok(mut value) = serde_json::from_slice::<Value>(body) else {
            return body.to_vec();
        };
        let is_changed = texts::map(&mut value, &mut |_, text| self.original(text));
        if self.style == Style::Spelling {
            self.identifiers.lock().unwrap().note_sent(&value);
        }
        if is_changed {
            serde_json::to_vec(&value).unwrap()
        } else {
            body.to_vec()
        }
    }

    async fn change(&self, answer: &mut Answer, route: Option<&Route>) {
        match self.style {
            Style::SlowConnections => self.delay(answer).await,
            Style::OtherRefusals => {
                if let (Some(route), 422) = (route, answer.status) {
                    let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
                    let is_bound = body
                        .as_ref()
                        .is_some_and(|body| self.routes.binds(route, 422, body));
                    if !is_bound && self.routes.documents(route, 400, body.as_ref()) {
                        answer.status = 400;
                    }
                }
            }
            Style::Spelling | Style::ExtraMembers | Style::OtherOrder => {
                self.change_body(answer, route);
            }
        }
    }

    fn change_body(&self, answer: &mut Answer, route: Option<&Route>) {
        let Ok(mut body) = serde_json::from_slice::<Value>(&answer.body) else {
            return;
        };
        let Some(route) = route else { return };
        let status = answer.status;
        let fits = |body: &Value| self.routes.documents(route, status, Some(body));
        match self.style {
            Style::Spelling => {
                let mut identifiers = self.identifiers.lock().unwrap();
                identifiers.change(&mut body, &answer.headers, &fits);
                if let Some(location) = answer.headers.get_mut(header::LOCATION) {
                    let text = location.to_str().unwrap();
                    let text = texts::map_target(text, &mut |text| identifiers.changed(text));
                    *location = HeaderValue::from_str(&text).unwrap();
                }
                self.timestamps.lock().unwrap().change(&mut body, &fits);
            }
            Style::ExtraMembers => members::add(&mut body, &fits),
            _ => {
                cursors::close(&mut body, &fits);
                if self.routes.is_unordered(route) {
                    page_order::reverse(&mut body);
                }
            }
        }
        answer.body = serde_json::to_vec(&body).unwrap();
    }

    async fn delay(&self, answer: &mut Answer) {
        let number = {
            let mut answered = self.answered.lock().unwrap();
            *answered += 1;
            *answered
        };
        let is_late = number.is_multiple_of(50);
        tokio::time::sleep(Duration::from_millis(if is_late { 150 } else { 3 })).await;
        if number.is_multiple_of(3) {
            let close = HeaderValue::from_static("close");
            answer.headers.insert(header::CONNECTION, close);
        }
    }
}
