//! Tests an operation that demands two credentials together.

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use conformance::level::Verdict;
use serde_json::Value;

use crate::support::{case, certify, checks, options, troubles, write};

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Notices, version: '1'}
security: [{key: [], rank: []}]
paths:
  /notices:
    post:
      operationId: postNotice
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [text, at]
              properties: {text: {type: string, maxLength: 40}, at: {type: string, format: date-time}}
            example: {text: Gates open, at: '2030-07-10T08:00:00Z'}
      responses:
        '201':
          description: The notice.
          content:
            application/json:
              schema:
                type: object
                required: [text, at]
                properties: {text: {type: string}, at: {type: string, format: date-time}}
              example: {text: Gates open, at: '2030-07-10T08:00:00Z'}
        '400': {description: The body is no notice.}
        '401': {description: The key is missing or wrong.}
        '403': {description: The rank is missing or too low.}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    rank: {type: apiKey, in: header, name: X-Rank}
";

/// Answers with the same time in another notation. Checks rights before it reads the body.
fn answer(headers: &HeaderMap, body: &str, checks_rank: bool) -> Response {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|known| known == value);
    if !is("x-key", "key-1234") {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if checks_rank && !is("x-rank", "chief-12") {
        return StatusCode::FORBIDDEN.into_response();
    }
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let texts = ["text", "at"].map(|name| body[name].as_str().unwrap_or_default().to_owned());
    let [text, at] = &texts;
    let time = at.parse::<jiff::Timestamp>();
    let size = body.as_object().map_or(0, serde_json::Map::len);
    match time {
        Ok(time) if size == 2 && !text.is_empty() && text.chars().count() <= 40 => {
            let at = time.to_string().replace('Z', "+00:00");
            let notice = axum::Json(serde_json::json!({"text": text, "at": at}));
            (StatusCode::CREATED, notice).into_response()
        }
        _ => StatusCode::BAD_REQUEST.into_response(),
    }
}

async fn start(checks_rank: bool) -> String {
    let handle =
        move |headers: HeaderMap, body: String| async move { answer(&headers, &body, checks_rank) };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/notices", post(handle));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

/// Runs with these headers. Returns the record.
async fn run(checks_rank: bool, headers: &[(&str, &str)]) -> conformance::report::Record {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let mut options = options(&spec, &start(checks_rank).await);
    options.laws = true;
    options.headers = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    certify(&options).await.unwrap()
}

const KEY: (&str, &str) = ("X-Key", "key-1234");
const RANK: (&str, &str) = ("X-Rank", "chief-12");

#[tokio::test]
async fn a_run_without_enough_rights_has_no_failure() {
    for headers in [&[KEY, RANK][..], &[KEY]] {
        let record = run(true, headers).await;
        let failed = troubles(&record);
        let failed: Vec<_> = failed
            .iter()
            .filter(|case| case.verdict >= Verdict::Warn)
            .collect();
        assert!(failed.is_empty(), "{failed:#?}");
    }
}

#[tokio::test]
async fn each_of_two_demanded_credentials_must_be_needed() {
    let record = run(false, &[KEY, RANK]).await;
    let found = checks(case(&record, "laws/authentication/postNotice"));
    assert_eq!(found, ["credentials-ignored"]);
}
