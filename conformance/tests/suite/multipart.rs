//! Tests a server that accepts `multipart/form-data`: a body has one part for each value, and its
//! constraints are tested.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

use crate::support::{certify, options, troubles, write};

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Files, version: '1'}
paths:
  /files:
    post:
      operationId: addFile
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title, content]
              properties:
                title: {type: string, minLength: 1, maxLength: 20}
                content: {type: string, format: binary}
            encoding: {content: {contentType: text/plain}}
      responses:
        '201': {$ref: '#/components/responses/File'}
        '400': {description: no}
  /files/{file}:
    get:
      operationId: getFile
      parameters: [{name: file, in: path, required: true, schema: {type: string}}]
      responses: {'200': {$ref: '#/components/responses/File'}, '404': {description: not there}}
components:
  responses:
    File:
      description: the file
      content: {application/json: {schema: {$ref: '#/components/schemas/File'}}}
  schemas:
    File: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}}}
";

type Files = Arc<Mutex<Vec<Value>>>;

#[derive(Clone)]
struct Server {
    /// The length of the longest accepted title.
    longest: usize,
    files: Files,
}

/// The title of a form with a named and typed file. `None` when the document does not describe the
/// form.
fn title(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    let media_type = headers.get("content-type")?.to_str().ok()?;
    let boundary = media_type.strip_prefix("multipart/form-data; boundary=")?;
    let body = std::str::from_utf8(body).ok()?;
    let body = body.strip_suffix(&format!("--{boundary}--\r\n"))?;
    let (mut title, mut has_file) = (None, false);
    for part in body.split(&format!("--{boundary}\r\n")).skip(1) {
        let (head, value) = part.strip_suffix("\r\n")?.split_once("\r\n\r\n")?;
        let file = "Content-Disposition: form-data; name=\"content\"; filename=";
        if head.starts_with(file) {
            has_file = head.ends_with("\r\nContent-Type: text/plain");
        } else if head == "Content-Disposition: form-data; name=\"title\"" {
            title = Some(value.to_owned());
        } else {
            return None;
        }
    }
    title.filter(|_| has_file)
}

async fn add(State(server): State<Server>, headers: HeaderMap, body: Bytes) -> Response {
    let title = title(&headers, &body);
    let fits = |server: &usize, most: usize| (1..=most).contains(server);
    let title = title.filter(|text| fits(&text.chars().count(), server.longest));
    let Some(title) = title else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut files = server.files.lock().unwrap();
    let file = json!({"id": format!("f{}", files.len()), "title": title});
    files.push(file.clone());
    (StatusCode::CREATED, axum::Json(file)).into_response()
}

async fn read(State(server): State<Server>, Path(id): Path<String>) -> Response {
    let files = server.files.lock().unwrap();
    match files.iter().find(|server| server["id"] == id) {
        Some(file) => axum::Json(file.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

#[tokio::test]
async fn a_multipart_form_is_sent_and_its_constraints_are_tested() {
    for (longest, expected) in [(20, None), (2_000, Some("constraint-ignored"))] {
        let server = Server {
            longest,
            files: Files::default(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/files", post(add))
            .route("/files/{file}", get(read))
            .with_state(server);
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "openapi.yaml", SPEC);
        let mut options = options(&spec, &address);
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let troubles = troubles(&record);
        let found = troubles.iter().flat_map(|server| &server.differences);
        let mut found: Vec<&str> = found.map(|server| server.check.id).collect();
        found.dedup();
        assert_eq!(found, Vec::from_iter(expected), "{troubles:#?}");
        let skipped = troubles
            .iter()
            .filter(|server| server.differences.is_empty());
        assert_eq!(skipped.count(), 0, "{troubles:#?}");
    }
}
