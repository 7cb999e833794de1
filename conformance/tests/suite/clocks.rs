//! Tests a correct server whose clock jumps back and forth during the run: no case fails. A change
//! that is earlier than its record is a warning.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::level::Verdict;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};

use crate::support::{certify, options, troubles, write};

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      responses:
        '201':
          description: The note.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: The body is no note.}
    get:
      operationId: listNotes
      description: The notes, the newest first.
      responses:
        '200':
          description: All notes.
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Note'}}
  /notes/{noteId}:
    parameters: [{name: noteId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getNote
      responses:
        '200':
          description: The note.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '404': {description: There is no such note.}
    patch:
      operationId: changeNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      responses:
        '200':
          description: The changed note.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: The body is no note.}
        '404': {description: There is no such note.}
components:
  schemas:
    NewNote:
      type: object
      additionalProperties: false
      required: [text]
      properties: {text: {type: string, minLength: 1, maxLength: 80, example: Buy milk}}
    Note:
      type: object
      required: [id, text, createdAt, updatedAt]
      properties:
        id: {type: string}
        text: {type: string}
        createdAt: {type: string, format: date-time}
        updatedAt: {type: string, format: date-time}
";

#[derive(Default)]
struct Notes {
    by_id: BTreeMap<u64, Value>,
    /// The number of times that the clock was read.
    readings: i64,
}

type Shared = State<Arc<Mutex<Notes>>>;

impl Notes {
    /// The time; every second reading is seven minutes behind.
    fn now(&mut self) -> String {
        self.readings += 1;
        let jump = (7 * (self.readings % 2)).minutes();
        Timestamp::now().checked_sub(jump).unwrap().to_string()
    }
}

fn text(body: &Value) -> Option<&str> {
    let text = body
        .as_object()
        .filter(|body| body.len() == 1)?
        .get("text")?;
    let text = text.as_str()?;
    (1..=80).contains(&text.chars().count()).then_some(text)
}

async fn add(State(notes): Shared, body: String) -> Response {
    let body = serde_json::from_str(&body).unwrap_or_default();
    let Some(text) = text(&body) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut notes = notes.lock().unwrap();
    let (id, now) = (notes.by_id.len() as u64 + 1, notes.now());
    let note = json!({"id": id.to_string(), "text": text, "createdAt": now, "updatedAt": now});
    notes.by_id.insert(id, note.clone());
    (StatusCode::CREATED, Json(note)).into_response()
}

async fn list(State(notes): Shared) -> Json<Vec<Value>> {
    let notes = notes.lock().unwrap();
    let mut notes: Vec<Value> = notes.by_id.values().cloned().collect();
    notes.sort_by_key(|note| std::cmp::Reverse(note["createdAt"].to_string()));
    Json(notes)
}

async fn read(State(notes): Shared, Path(id): Path<String>) -> Response {
    let notes = notes.lock().unwrap();
    let note = id.parse().ok().and_then(|id: u64| notes.by_id.get(&id));
    match note {
        Some(note) => Json(note.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn change(State(notes): Shared, Path(id): Path<String>, body: String) -> Response {
    let body = serde_json::from_str(&body).unwrap_or_default();
    let mut notes = notes.lock().unwrap();
    let now = notes.now();
    let note = id.parse().ok().and_then(|id: u64| notes.by_id.get_mut(&id));
    match (note, text(&body)) {
        (None, _) => StatusCode::NOT_FOUND.into_response(),
        (_, None) => StatusCode::BAD_REQUEST.into_response(),
        (Some(note), Some(text)) => {
            note["text"] = text.into();
            note["updatedAt"] = now.into();
            Json(note.clone()).into_response()
        }
    }
}

#[tokio::test]
async fn a_clock_that_jumps_makes_no_case_fail() {
    let router = Router::new()
        .route("/notes", post(add).get(list))
        .route("/notes/{id}", get(read).patch(change))
        .with_state(Arc::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let mut options = options(&spec, &url);
    options.laws = true;
    let record = certify(&options).await.unwrap();
    let failed = troubles(&record);
    let failed: Vec<_> = failed
        .iter()
        .filter(|case| case.verdict >= Verdict::Fail)
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}
