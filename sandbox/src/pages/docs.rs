//! The reference documentation: the contract, rendered by Scalar in the reader's browser.

use askama::Template;
use axum::Router;
use axum::response::Response;
use axum::routing::get;
use http::{HeaderValue, header};
use serde_json::Value;

use super::{assets, page};
use crate::{contract, test_data};

/// The viewer's script, compressed at build time.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scalar.js.gz"));

/// The policy allows inline styles for the viewer; scripts and data come from this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

#[derive(Template)]
#[template(path = "docs.html")]
struct Docs;

pub(super) fn routes() -> Router {
    Router::new()
        .route("/docs", get(reference))
        .route("/docs/openapi.json", get(document))
        .route("/docs/scalar.js", get(program))
}

async fn reference() -> Response {
    page::respond(&Docs, POLICY)
}

async fn document() -> Response {
    assets::asset("application/json", described(&contract::document()))
}

/// The contract with the test data appended to its description, where readers look for them.
fn described(document: &str) -> String {
    let Ok(mut described) = serde_json::from_str::<Value>(document) else {
        return document.to_owned();
    };
    if let Some(Value::String(description)) = described.pointer_mut("/info/description") {
        description.push_str(&test_data::markdown());
    }
    described.to_string()
}

/// Always compressed, because every browser supports it.
async fn program() -> Response {
    let mut response = assets::asset("text/javascript; charset=utf-8", PROGRAM);
    let encoding = HeaderValue::from_static("gzip");
    response
        .headers_mut()
        .insert(header::CONTENT_ENCODING, encoding);
    response
}
