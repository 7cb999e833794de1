//! Tests that refusals correct invented bodies: properties that are not allowed, missing or taken,
//! and values that must be those of existing records.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use conformance::level::Verdict;
use conformance::report::Record;
use serde_json::{Value, json};

use crate::support::{case, certify, options, write};

const WORKSHOP: &str = r"
openapi: 3.0.3
info: {title: Workshop, version: '1'}
paths:
  /halls:
    get:
      operationId: listHalls
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}}}}}}}}
  /benches:
    post:
      operationId: createBench
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [hall], properties: {hall: {type: string}, wood: {type: string}, plate: {type: string}, parts: {type: object, properties: {vise: {type: string}, lamp: {type: string}}}}}
      responses: {'200': {description: created, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}
  /desks:
    post:
      operationId: createDesk
      parameters: [{name: expand, in: query, example: owner, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {wood: {type: string}}}}}}
      responses: {'201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Desk'}}}}}
  /desks/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getDesk, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Desk'}}}}}}
  /benches/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    patch:
      operationId: changeBench
      requestBody: {content: {application/json: {schema: {type: object, properties: {hall: {type: string}}}}}}
      responses: {'204': {description: changed}}
components:
  schemas:
    Desk: {type: object, properties: {id: {type: string}, wood: {type: string}, owner: {oneOf: [{type: string}, {type: object}]}}}
";

type Plates = Arc<Mutex<BTreeSet<String>>>;

/// The refusal of a body, else `None`.
fn refusal(plates: &mut BTreeSet<String>, body: &Value) -> Option<Value> {
    if body.get("wood").is_some() {
        return Some(json!({"errors": [{"message": "\"wood\" is not allowed"}]}));
    }
    if body["parts"].get("lamp").is_some() {
        return Some(json!({"errors": {"lamp": ["cannot be set"]}}));
    }
    if body.get("height").is_none() {
        return Some(json!({"message": "The field \"height\" is required."}));
    }
    let hall = body["hall"].as_str().unwrap_or_default();
    if hall != "north" {
        let detail = format!("There is no hall '{hall}'.");
        return Some(json!({"title": "Not found", "detail": detail}));
    }
    let plate = body["plate"].as_str().unwrap_or_default();
    let is_new = plates.insert(plate.to_owned());
    (!is_new).then(|| json!({"detail": "`plate` has to be unique"}))
}

async fn serve(State(plates): State<Plates>, method: Method, uri: Uri, body: Bytes) -> Response {
    let segments: Vec<&str> = uri.path().trim_matches('/').split('/').collect();
    let json: Value = serde_json::from_slice(&body).unwrap_or(Value::Null);
    match (method.as_str(), &segments[..]) {
        ("GET", ["halls"]) => Json(json!([{"id": "north"}])).into_response(),
        ("POST", ["benches"]) => {
            let mut plates = plates.lock().unwrap();
            match refusal(&mut plates, &json) {
                Some(refusal) => (StatusCode::BAD_REQUEST, Json(refusal)).into_response(),
                None => Json(json!({"id": format!("b{}", plates.len())})).into_response(),
            }
        }
        // `expand` has the owner where a reading has its key.
        ("POST", ["desks"]) => {
            let is_expanded = uri.query() == Some("expand=owner");
            let owner = if is_expanded {
                json!({"id": "o1"})
            } else {
                json!("o1")
            };
            let desk = json!({"id": "d1", "wood": "oak", "owner": owner});
            (StatusCode::CREATED, Json(desk)).into_response()
        }
        ("GET", ["desks", "d1"]) => {
            Json(json!({"id": "d1", "wood": "oak", "owner": "o1"})).into_response()
        }
        // A change does not take the key of a record that the run did not create.
        ("PATCH", ["benches", _]) => {
            assert_ne!(json["hall"], "north");
            let refusal = json!({"detail": "There is no such `hall`"});
            (StatusCode::BAD_REQUEST, Json(refusal)).into_response()
        }
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The record of a run on the workshop.
async fn record() -> Record {
    let folder = tempfile::tempdir().unwrap();
    let router = Router::new().fallback(serve).with_state(Plates::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let spec = write(folder.path(), "workshop.yaml", WORKSHOP);
    let mut options = options(&spec, &format!("http://127.0.0.1:{port}"));
    options.laws = true;
    certify(&options).await.unwrap()
}

#[tokio::test]
async fn an_expanded_record_is_not_compared_with_a_plain_one() {
    let record = record().await;
    let agreement = case(&record, "laws/agreement/createDesk");
    let found = agreement.differences.iter();
    let found: Vec<_> = found
        .filter(|item| item.pointer.contains("owner"))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test]
async fn refusals_correct_invented_bodies() {
    let record = record().await;
    let created = case(&record, "laws/success/createBench");
    assert_eq!(created.verdict, Verdict::Pass, "{created:#?}");
    let changed = case(&record, "laws/success/changeBench");
    assert_eq!(changed.verdict, Verdict::Skip, "{changed:#?}");
}
