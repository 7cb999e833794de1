//! Serves the style sheets, scripts and icon, which are part of the program.

use axum::Router;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, header};

const CSS: &str = "text/css; charset=utf-8";
const ICON: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The routes of the assets.
pub(super) fn routes() -> Router {
    let file = |kind, text| get(async move || asset(kind, text));
    Router::new()
        .route(
            "/assets/pages.css",
            file(CSS, include_str!("../../assets/pages.css")),
        )
        .route(
            "/assets/docs.css",
            file(CSS, include_str!("../../assets/docs.css")),
        )
        .route(
            "/assets/docs.js",
            file(SCRIPT, include_str!("../../assets/docs.js")),
        )
        .route(
            "/favicon.ico",
            file(ICON, include_str!("../../assets/icon.svg")),
        )
        .route(
            "/assets/icon.svg",
            file(ICON, include_str!("../../assets/icon.svg")),
        )
}

/// A response with one asset.
pub(super) fn asset(kind: &'static str, body: impl IntoResponse) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    );
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
