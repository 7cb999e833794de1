//! A server that gives tokens and lets in who has a good one; it keeps what it was asked.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

use super::recorder::plain_http;
use codegen_goldens::client::security_root::Client;
use codegen_goldens::runtime::client::{Clock, Settings, Wait};

/// What the server knows and was asked.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// How many tokens it gave.
    pub given: u32,
    /// The authorization and the body of each request for a token.
    pub asked: Vec<(String, String)>,
    /// Method, target and credentials of each other request.
    pub calls: Vec<String>,
    /// The number of the oldest token that is good.
    pub oldest: u32,
    /// What it answers who asks for a token, instead of one.
    pub refusal: Option<&'static str>,
}

/// The server, behind a lock.
pub(crate) type Shared = Arc<Mutex<Gate>>;

/// A server, and settings for a client of it.
pub(crate) async fn guarded() -> (Shared, Settings) {
    let gate = Shared::default();
    let router = axum::Router::new().fallback(judge).with_state(gate.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (gate, Settings::new(address).http(plain_http()))
}

/// A client of the server.
pub(crate) fn client(settings: Settings) -> Client {
    Client::new(settings).unwrap()
}

async fn judge(State(gate): State<Shared>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1000).await.unwrap();
    let text = |name: &str| {
        let value = head.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap()).to_owned()
    };
    let (authorization, cookie, key) = (text("authorization"), text("cookie"), text("x-key"));
    let mut gate = gate.lock().unwrap();
    if head.uri.path() == "/oauth/token" {
        let body = String::from_utf8(body.to_vec()).unwrap();
        return give(&mut gate, (authorization, body));
    }
    let number = authorization.strip_prefix("Bearer secret-token-");
    let good = number.is_none_or(|number| number.parse::<u32>().unwrap() >= gate.oldest);
    let line = format!("{} {}", head.method, head.uri);
    let all = [line, authorization, cookie, key];
    gate.calls.push(all.join(" ").trim_end().to_owned());
    let status = if good {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::UNAUTHORIZED
    };
    status.into_response()
}

fn give(gate: &mut Gate, asked: (String, String)) -> Response {
    gate.asked.push(asked);
    if let Some(refusal) = gate.refusal {
        return (StatusCode::BAD_REQUEST, refusal).into_response();
    }
    gate.given += 1;
    let token = format!("secret-token-{}", gate.given);
    let body = format!(r#"{{"access_token":"{token}","token_type":"bearer","expires_in":3600}}"#);
    body.into_response()
}

/// A clock that a test sets forward.
#[derive(Clone, Debug)]
pub(crate) struct SetClock(Arc<Mutex<Instant>>);

impl SetClock {
    /// A clock that stands still.
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new(Instant::now())))
    }

    /// Sets the clock forward.
    pub(crate) fn forward(&self, seconds: u64) {
        *self.0.lock().unwrap() += Duration::from_secs(seconds);
    }
}

impl Clock for SetClock {
    fn instant(&self) -> Instant {
        *self.0.lock().unwrap()
    }

    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn wait(&self, _: Duration) -> Wait {
        Box::pin(std::future::ready(()))
    }
}
