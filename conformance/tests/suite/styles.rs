//! Tests a correct server in the style of a web framework: trailing slashes, fractional bounds,
//! nulls that change nothing, a search that requires a term.

use std::sync::{Arc, Mutex};

use crate::support::{certify, ids, options, troubles, write};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

const SPEC: &str = r#"
openapi: 3.1.0
info: {title: Notes, version: "1"}
paths:
  /users/:
    post:
      operationId: add_user
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/UserIn'}}}}
      responses: {"201": {$ref: '#/components/responses/User'}, "422": {description: Invalid}}
  /users/{user_id}:
    parameters: [{name: user_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_user, responses: {"200": {$ref: '#/components/responses/User'}, "404": {description: None}, "422": {description: Invalid}}}
  /notes/:
    post:
      operationId: add_note
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NoteIn'}
            # It names a user that is on no server, and has another name than its answer.
            examples: {typical: {value: {text: Milk, author_id: 4711, rank: 3}}}
      responses:
        "201":
          description: one
          content:
            application/json:
              schema: {$ref: '#/components/schemas/Note'}
              examples: {added: {value: {id: 1, text: Milk, author_id: 4711, rank: 3}}}
        "404": {description: None}
        "422": {description: Invalid}
  /notes/search:
    get:
      operationId: search_notes
      parameters: [{name: q, in: query, required: true, schema: {type: string, minLength: 1}}]
      responses: {"200": {$ref: '#/components/responses/Notes'}, "422": {description: Invalid}}
  /notes/{note_id}:
    parameters: [{name: note_id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: get_note, responses: {"200": {$ref: '#/components/responses/Note'}, "404": {description: None}, "422": {description: Invalid}}}
    patch:
      operationId: change_note
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NoteChange'}}}}
      responses: {"200": {$ref: '#/components/responses/Note'}, "404": {description: None}, "422": {description: Invalid}}
components:
  responses:
    User: {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
    Note: {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}
    Notes: {description: some, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}
  schemas:
    UserIn: {type: object, required: [name], properties: {name: {type: string}}}
    User: {type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}}}
    NoteIn:
      type: object
      required: [text, author_id]
      properties:
        text: {type: string}
        author_id: {type: integer}
        rank: {type: integer, minimum: 1.0, maximum: 5.0}
    NoteChange:
      type: object
      properties: {text: {anyOf: [{type: string}, {type: 'null'}]}, rank: {anyOf: [{type: integer}, {type: 'null'}]}}
    Note:
      type: object
      required: [id, text, author_id, rank]
      properties: {id: {type: integer}, text: {type: string}, author_id: {type: integer}, rank: {type: integer}}
"#;

#[derive(Default)]
struct Store {
    users: Vec<Value>,
    notes: Vec<Value>,
}

type Refusal = StatusCode;

const INVALID: Refusal = StatusCode::UNPROCESSABLE_ENTITY;

async fn start() -> String {
    let store = Arc::new(Mutex::new(Store::default()));
    let router = Router::new().fallback(serve).with_state(store);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://127.0.0.1:{port}")
}

async fn serve(
    State(store): State<Arc<Mutex<Store>>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let query = uri.query().unwrap_or_default();
    match store
        .lock()
        .unwrap()
        .answer(&method, uri.path(), query, &body)
    {
        Ok((status, body)) => (status, axum::Json(body)).into_response(),
        Err(StatusCode::METHOD_NOT_ALLOWED) => not_allowed(uri.path()),
        Err(status) => (status, axum::Json(json!({"detail": "no"}))).into_response(),
    }
}

fn not_allowed(path: &str) -> Response {
    let allow = match path.trim_start_matches('/').split_once('/') {
        Some((_, "")) => "POST",
        Some(("notes", key)) if key != "search" => "GET, PATCH",
        _ => "GET",
    };
    let body = axum::Json(json!({"detail": "no"}));
    (StatusCode::METHOD_NOT_ALLOWED, [("allow", allow)], body).into_response()
}

fn number(value: &Value) -> Result<i64, Refusal> {
    value.as_i64().ok_or(INVALID)
}

fn text(value: &Value) -> Result<&str, Refusal> {
    value.as_str().ok_or(INVALID)
}

fn find(all: &mut [Value], id: i64) -> Result<&mut Value, Refusal> {
    let mut all = all.iter_mut();
    all.find(|item| item["id"] == id)
        .ok_or(StatusCode::NOT_FOUND)
}

/// A rank within its bounds.
fn rank(value: &Value) -> Result<i64, Refusal> {
    let rank = number(value)?;
    (1..=5).contains(&rank).then_some(rank).ok_or(INVALID)
}

impl Store {
    fn answer(
        &mut self,
        method: &Method,
        path: &str,
        query: &str,
        body: &[u8],
    ) -> Result<(StatusCode, Value), Refusal> {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let read = || {
            let read: Value = serde_json::from_slice(body).map_err(|_| INVALID)?;
            read.is_object().then_some(read).ok_or(INVALID)
        };
        let key = |text: &str| text.parse::<i64>().map_err(|_| INVALID);
        match (&segments[..], method.as_str()) {
            (["users", ""], "POST") => {
                let id = self.users.len() + 1;
                self.users
                    .push(json!({"id": id, "name": text(&read()?["name"])?}));
                Ok((StatusCode::CREATED, self.users[id - 1].clone()))
            }
            (["users", id], "GET") => {
                Ok((StatusCode::OK, find(&mut self.users, key(id)?)?.clone()))
            }
            (["notes", ""], "POST") => self.add(&read()?),
            (["notes", "search"], "GET") => {
                let wanted = query.strip_prefix("q=").filter(|query| !query.is_empty());
                let wanted = wanted.ok_or(INVALID)?;
                let has = |value: &&Value| value["text"].as_str().unwrap().contains(wanted);
                let found: Vec<Value> = self.notes.iter().filter(has).cloned().collect();
                Ok((StatusCode::OK, json!(found)))
            }
            (["notes", id], "GET") => {
                Ok((StatusCode::OK, find(&mut self.notes, key(id)?)?.clone()))
            }
            (["notes", id], "PATCH") => {
                let (id, given) = (key(id)?, read()?);
                self.change(id, &given)
            }
            (["users" | "notes", ..], _) => Err(StatusCode::METHOD_NOT_ALLOWED),
            _ => Err(StatusCode::NOT_FOUND),
        }
    }

    fn add(&mut self, given: &Value) -> Result<(StatusCode, Value), Refusal> {
        let (text, author) = (text(&given["text"])?, number(&given["author_id"])?);
        let rank = given.get("rank").map_or(Ok(3), rank)?;
        find(&mut self.users, author)?;
        let id = self.notes.len() + 1;
        let note = json!({"id": id, "text": text, "author_id": author, "rank": rank});
        self.notes.push(note.clone());
        Ok((StatusCode::CREATED, note))
    }

    fn change(&mut self, id: i64, given: &Value) -> Result<(StatusCode, Value), Refusal> {
        let note = find(&mut self.notes, id)?;
        let mut changed = note.clone();
        if let Some(value) = given.get("text").filter(|given| !given.is_null()) {
            changed["text"] = json!(text(value)?);
        }
        if let Some(value) = given.get("rank").filter(|given| !given.is_null()) {
            changed["rank"] = json!(number(value)?);
        }
        note.clone_from(&changed);
        Ok((StatusCode::OK, changed))
    }
}

#[tokio::test]
async fn a_server_in_the_style_of_a_framework_has_no_difference() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "openapi.yaml", SPEC);
    let mut options = options(&spec, &start().await);
    options.laws = true;
    let record = certify(&options).await.unwrap();
    let found: Vec<_> = troubles(&record)
        .into_iter()
        .filter(|item| !item.differences.is_empty())
        .collect();
    assert!(found.is_empty(), "{found:#?}");
    for constraint in [
        "add_note/201/added",
        "laws/success/get_note",
        "laws/success/change_note",
        "laws/bounds/add_note",
        "laws/merge/change_note",
        "laws/constraints/add_note",
    ] {
        let passed = record
            .cases
            .iter()
            .any(|case| case.id == constraint && case.differences.is_empty());
        assert!(passed, "{constraint}: {:?}", ids(&record));
    }
}
