//! Tests a correct server with the habits of published ones.
//!
//! It gives the key of a deleted record to the next one. It refuses a name in use with an
//! undocumented status, knows the form of its keys, and needs an optional parameter. It shows a
//! duration that runs, and is unavailable for a moment.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use conformance::level::Level;
use serde_json::{Value, json};

use crate::support::{case, certify, options, write};

const WORKSHOP: &str = r"
openapi: 3.1.0
info: {title: Workshop, version: '1'}
paths:
  /queues/:
    post:
      operationId: createQueue
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/NewQueue'}}}}
      responses: {'201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Queue'}}}}, '422': {description: invalid}}
  /queues/{name}/:
    parameters: [{name: name, in: path, required: true, schema: {type: string}}]
    get: {operationId: getQueue, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Queue'}}}}, '404': {description: none}}}
    patch:
      operationId: changeQueue
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/QueueChange'}}}}
      responses: {'200': {description: changed, content: {application/json: {schema: {$ref: '#/components/schemas/Queue'}}}}, '422': {description: invalid}}
  /labels:
    get: {operationId: listLabels, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Label'}}}}}}}
    post:
      operationId: createLabel
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, minLength: 1}}}}}}
      responses: {'201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}, '422': {description: invalid}}
  /labels/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getLabel, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}, '404': {description: none}, '422': {description: no key}}}
    delete: {operationId: deleteLabel, responses: {'204': {description: gone}, '404': {description: none}, '422': {description: no key}}}
  /labels/{id}/notes:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: listNotes, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}}}, '404': {description: none}, '422': {description: no key}}}
    post:
      operationId: createNote
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string, minLength: 1}}}}}}
      responses: {'201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}, '422': {description: invalid}}
  /labels/{id}/notes/{aNote}:
    parameters:
    - {name: aNote, in: path, required: true, schema: {type: string}}
    - {name: id, in: path, required: true, schema: {type: string}}
    get: {operationId: getNote, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}, '422': {description: no key}}}
  /labels/{id}/latest:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getLatestNote, responses: {'200': {description: the latest, content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}}, '404': {description: none}, '422': {description: no key}}}
  /runs:
    post: {operationId: createRun, responses: {'201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Run'}}}}}}
  /runs/{runId}:
    parameters: [{name: runId, in: path, required: true, schema: {type: string, format: uuid}}]
    get: {operationId: getRun, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Run'}}}}, '422': {description: invalid}}}
  /gate:
    get: {operationId: getGate, responses: {'200': {description: open}}}
  /boards:
    get:
      operationId: getBoard
      parameters: [{name: view, in: query, schema: {type: string}}]
      responses: {'200': {description: a board, content: {application/json: {schema: {type: object}}}}}
  /keys:
    get: {operationId: listKeys, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}, '403': {description: off}}}
components:
  schemas:
    NewQueue:
      type: object
      required: [name]
      properties:
        name: {type: string, minLength: 1, maxLength: 90}
        limit: {type: integer, minimum: 1, maximum: 100}
        labelId: {anyOf: [{type: string}, {type: 'null'}]}
        pool: {type: string}
    QueueChange:
      type: object
      properties: {name: {type: string, minLength: 1, maxLength: 90}, limit: {type: integer, minimum: 1, maximum: 100}}
    Queue:
      type: object
      required: [name]
      properties: {name: {type: string}, limit: {type: integer}, labelId: {anyOf: [{type: string}, {type: 'null'}]}}
    Label:
      type: object
      required: [id, text]
      properties: {id: {type: string}, text: {type: string}}
    Note:
      type: object
      required: [id, text]
      properties: {id: {type: string}, text: {type: string}}
    Run:
      type: object
      required: [id, age]
      properties: {id: {type: string, format: uuid}, waited: {type: number}}
";

/// The records of a workshop.
struct Workshop {
    started: Instant,
    queues: BTreeMap<String, Value>,
    labels: BTreeMap<u64, String>,
    notes: Vec<(u64, Value)>,
    runs: BTreeMap<String, Instant>,
    /// The number of requests that the gate turned away.
    turned_away: usize,
}

type Shared = Arc<Mutex<Workshop>>;

async fn start() -> u16 {
    let workshop = Workshop {
        started: Instant::now(),
        queues: BTreeMap::new(),
        labels: BTreeMap::new(),
        notes: Vec::new(),
        runs: BTreeMap::new(),
        turned_away: 0,
    };
    let router = Router::new()
        .fallback(serve)
        .with_state(Arc::new(Mutex::new(workshop)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    port
}

async fn serve(State(shared): State<Shared>, method: Method, uri: Uri, body: Bytes) -> Response {
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let (status, answer) = shared.lock().unwrap().answer(&method, uri.path(), &json);
    let status = StatusCode::from_u16(status).unwrap();
    match answer {
        Value::Null => status.into_response(),
        answer => (status, axum::Json(answer)).into_response(),
    }
}

/// The key of a label, as the server writes it.
fn shown(number: u64) -> String {
    format!("label:{number}")
}

impl Workshop {
    fn answer(&mut self, method: &Method, path: &str, json: &Value) -> (u16, Value) {
        let path = path.replace("%3A", ":");
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let method = if method == Method::HEAD {
            "GET"
        } else {
            method.as_str()
        };
        match (method, &segments[..]) {
            ("POST", ["queues"]) => self.create_queue(json),
            ("GET", ["queues", name]) => match self.queues.get(*name) {
                Some(queue) => (200, queue.clone()),
                None => (404, Value::Null),
            },
            ("PATCH", ["queues", name]) => self.change_queue(name, json),
            ("GET", ["labels"]) => {
                let all = self.labels.iter().map(|(key, text)| label(*key, text));
                (200, all.collect())
            }
            ("POST", ["labels"]) => match text_of(json) {
                Some(text) => {
                    // Like SQLite without AUTOINCREMENT.
                    let key = self.labels.keys().next_back().map_or(1, |last| last + 1);
                    self.labels.insert(key, text.clone());
                    (201, label(key, &text))
                }
                None => (422, Value::Null),
            },
            (_, ["labels", key, ..]) => {
                let number = key.strip_prefix("label:").and_then(|key| key.parse().ok());
                match number {
                    Some(number) => self.about_label(method, number, &segments[2..], json),
                    None => (422, Value::Null),
                }
            }
            ("POST", ["runs"]) => {
                let key = format!("3fa85f64-5717-4562-b3fc-{:012x}", self.runs.len());
                self.runs.insert(key.clone(), Instant::now());
                (201, json!({"id": key, "age": 0, "waited": 0.00001}))
            }
            ("GET", ["runs", key]) => match self.runs.get(*key) {
                Some(begun) => {
                    let waited = begun.elapsed().as_secs_f64() + 0.000_012;
                    (200, json!({"id": key, "age": 0, "waited": waited}))
                }
                None => (404, Value::Null),
            },
            ("GET", ["gate"]) if self.turned_away < 2 => {
                self.turned_away += 1;
                (503, Value::Null)
            }
            ("GET", ["gate"]) => (200, Value::Null),
            ("GET", ["keys"]) => (403, Value::Null),
            _ => (404, Value::Null),
        }
    }

    fn create_queue(&mut self, json: &Value) -> (u16, Value) {
        let Some(name) = valid_name(json).filter(|_| is_valid(json)) else {
            return (422, Value::Null);
        };
        // There are no pools, which the document does not say.
        if json.get("pool").is_some() {
            return (404, json!({"detail": "Pool not found."}));
        }
        if self.queues.contains_key(&name) {
            return (409, json!({"detail": "It exists already."}));
        }
        if json["labelId"]
            .as_str()
            .is_some_and(|key| !self.has_label(key))
        {
            return (422, json!({"detail": "Label not found."}));
        }
        let mut queue = json.clone();
        queue["labelId"] = json.get("labelId").cloned().unwrap_or(Value::Null);
        self.queues.insert(name, queue.clone());
        (201, queue)
    }

    fn has_label(&self, key: &str) -> bool {
        let number = key.strip_prefix("label:").and_then(|key| key.parse().ok());
        number.is_some_and(|number: u64| self.labels.contains_key(&number))
    }

    fn change_queue(&mut self, name: &str, json: &Value) -> (u16, Value) {
        let renamed = json.get("name").map(|_| valid_name(json));
        if renamed == Some(None) || !json.is_object() || !is_valid(json) {
            return (422, Value::Null);
        }
        let Some(mut queue) = self.queues.remove(name) else {
            return (404, json!({"detail": "Queue not found."}));
        };
        let renamed = renamed.flatten().unwrap_or_else(|| name.to_owned());
        if renamed != name && self.queues.contains_key(&renamed) {
            self.queues.insert(name.to_owned(), queue);
            return (409, json!({"detail": "It exists already."}));
        }
        for (key, value) in json.as_object().unwrap() {
            queue[key] = value.clone();
        }
        self.queues.insert(renamed, queue.clone());
        (200, queue)
    }

    fn about_label(
        &mut self,
        method: &str,
        number: u64,
        rest: &[&str],
        json: &Value,
    ) -> (u16, Value) {
        let Some(text) = self.labels.get(&number) else {
            return (404, Value::Null);
        };
        let mut notes = self.notes.iter().filter(|(label, _)| *label == number);
        match (method, rest) {
            ("GET", []) => (200, label(number, text)),
            ("DELETE", []) => {
                self.labels.remove(&number);
                self.notes.retain(|(label, _)| *label != number);
                (204, Value::Null)
            }
            ("GET", ["notes"]) => (200, notes.map(|(_, note)| note.clone()).collect()),
            ("GET", ["notes", key]) => match notes.find(|(_, note)| note["id"] == **key) {
                Some((_, note)) => (200, note.clone()),
                None => (404, Value::Null),
            },
            ("GET", ["latest"]) => match notes.next_back() {
                Some((_, note)) => (200, note.clone()),
                None => (404, Value::Null),
            },
            ("POST", ["notes"]) => match text_of(json) {
                Some(text) => {
                    let key = format!("n{}", self.started.elapsed().as_nanos());
                    let note = json!({"id": key, "text": text});
                    self.notes.push((number, note.clone()));
                    (201, note)
                }
                None => (422, Value::Null),
            },
            _ => (404, Value::Null),
        }
    }
}

fn label(key: u64, text: &str) -> Value {
    json!({"id": shown(key), "text": text})
}

fn text_of(json: &Value) -> Option<String> {
    let text = json["text"].as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// The name of a queue: printable ASCII, which the document does not say.
fn valid_name(json: &Value) -> Option<String> {
    let name = json["name"].as_str()?;
    let is_valid = !name.is_empty() && name.len() <= 90 && name.is_ascii();
    is_valid.then(|| name.to_owned())
}

fn is_valid(json: &Value) -> bool {
    let is_limit = |limit: &Value| {
        limit
            .as_i64()
            .is_some_and(|limit| (1..=100).contains(&limit))
    };
    let is_text = |text: &Value| text.is_string();
    json.get("limit").is_none_or(is_limit)
        && json.get("pool").is_none_or(is_text)
        && json
            .get("labelId")
            .is_none_or(|key| key.is_null() || is_text(key))
}

#[tokio::test]
async fn habits_of_published_servers_are_no_findings() {
    for seed in 1..=3 {
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "workshop.yaml", WORKSHOP);
        let mut options = options(&spec, &format!("http://127.0.0.1:{}", start().await));
        options.laws = true;
        options.seed = seed;
        let record = certify(&options).await.unwrap();
        let all = { record.cases.iter() }.flat_map(|case| {
            let found = { case.differences.iter() }.filter(|found| found.level > Level::May);
            found.map(|found| {
                let (check, at) = (found.check.id, &found.pointer);
                let (expected, actual) = (&found.expected, &found.actual);
                format!("{}: {check} at {at}: {expected}, got {actual}", case.id)
            })
        });
        let all: Vec<String> = all.collect();
        assert!(all.is_empty(), "seed {seed}: {all:#?}");
        for operation in [
            "createQueue",
            "changeQueue",
            "deleteLabel",
            "getRun",
            "getGate",
        ] {
            let case = case(&record, &format!("laws/success/{operation}"));
            assert_eq!(case.verdict.as_str(), "pass", "{case:#?}");
        }
    }
}
