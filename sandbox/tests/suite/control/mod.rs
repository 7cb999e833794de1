//! The control interface over HTTP: each route and each refusal.

mod access;
mod books;
mod clock;
mod faults;
mod requests;
mod script;
mod snapshots;
mod tenants;
mod triggers;
mod webhooks;

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::process::{Process, Reply, reply};

/// The default admin key.
pub(crate) const ADMIN_KEY: &str = sandbox::seed::DEFAULT_ADMIN_KEY;

impl Process {
    /// A request with the admin key.
    pub(crate) fn admin(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}/_sandbox{path}", self.url);
        let request = self.client.request(method, url);
        request.header("authorization", ADMIN_KEY)
    }

    pub(crate) async fn read_control(&self, path: &str) -> Reply {
        reply(self.admin(Method::GET, path)).await
    }

    pub(crate) async fn post_control(&self, path: &str, body: &Value) -> Reply {
        reply(self.admin(Method::POST, path).json(body)).await
    }

    /// Turns the check against the catalogue off.
    pub(crate) async fn relax(&self) {
        let wanted = json!({"catalogueBinds": false});
        let set = reply(self.admin(Method::PUT, "/settings").json(&wanted)).await;
        assert_eq!((set.status, set.body), (200, wanted));
    }

    pub(crate) async fn post_control_empty(&self, path: &str) -> Reply {
        reply(self.admin(Method::POST, path)).await
    }

    pub(crate) async fn remove(&self, path: &str) -> Reply {
        reply(self.admin(Method::DELETE, path)).await
    }
}

/// The status, code and pointers of a problem.
fn refusal(reply: &Reply) -> (u16, String, Vec<String>) {
    assert_eq!(
        reply.headers["content-type"], "application/problem+json",
        "{reply:?}"
    );
    assert!(reply.body["requestId"].is_string(), "{reply:?}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let places = reply.body["errors"].as_array().cloned().unwrap_or_default();
    let pointers = places.iter().map(|place| text(&place["pointer"]));
    (reply.status, text(&reply.body["code"]), pointers.collect())
}

/// Sends invalid bodies and compares the refusals.
async fn refuses(sandbox: &Process, path: &str, table: &[(Value, u16, &str, &[&str])]) {
    for (body, status, code, pointers) in table {
        let refused = refusal(&sandbox.post_control(path, body).await);
        let expected = pointers.iter().map(|text| (*text).to_owned()).collect();
        assert_eq!(refused, (*status, (*code).to_owned(), expected), "{body}");
    }
}

/// Checks the refusals that every route with a body has.
async fn refuses_other_formats_than_json(sandbox: &Process, path: &str) {
    let broken = sandbox.admin(Method::POST, path).body("{\"");
    let broken = reply(broken.header("content-type", "application/json")).await;
    assert_eq!(refusal(&broken).1, "E1000");
    let plain = sandbox.admin(Method::POST, path).body("text");
    let plain = reply(plain.header("content-type", "text/plain")).await;
    assert_eq!((plain.status, refusal(&plain).1.as_str()), (415, "E1415"));
    let other = sandbox.post_control(path, &json!({"nonsense": 1})).await;
    assert_eq!(other.status, 422);
    assert_eq!(refusal(&other).1, "E1001");
}
