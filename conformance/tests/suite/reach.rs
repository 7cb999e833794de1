//! Tests that operations of another team's server succeed: existing records, keys only in requests,
//! bodies with a refused part, requests that need a content type.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use conformance::level::Verdict;
use serde_json::{Value, json};

use crate::support::{case, certify, options, write};

const DEPOT: &str = r"
openapi: 3.0.3
info: {title: Depot, version: '1'}
paths:
  /projects:
    get:
      operationId: listProjects
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, title: {type: string}}}}}}}}
  /projects/{projectId}:
    parameters: [{name: projectId, in: path, required: true, schema: {type: string}}]
    delete: {operationId: deleteProject, responses: {'204': {description: gone}}}
  /projects/{projectId}/flags:
    parameters: [{name: projectId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: listFlags
      responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Flag'}}}}}, '404': {description: no project}}
    post:
      operationId: createFlag
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, '404': {description: no project}, '409': {description: The name is taken.}}
  /projects/{projectId}/flags/{flagName}:
    parameters:
    - {name: projectId, in: path, required: true, schema: {type: string}}
    - {name: flagName, in: path, required: true, schema: {type: string}}
    get: {operationId: getFlag, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Flag'}}}}, '404': {description: none}}}
  /tenants:
    post:
      operationId: createTenant
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Tenant'}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {type: object}}}}}
  /tenants/{tenant}:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
    get: {operationId: getTenant, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Tenant'}}}}, '404': {description: none}}}
  /rooms:
    post:
      operationId: createRoom
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [floor], properties: {floor: {type: integer}}}}}}
      responses: {'201': {description: made, headers: {Location: {schema: {type: string}}}}}
  /rooms/{roomId}/floor:
    parameters: [{name: roomId, in: path, required: true, schema: {type: string}}]
    get: {operationId: getFloor, responses: {'200': {description: its floor, content: {application/json: {schema: {type: integer}}}}, '404': {description: none}}}
  /groups/{group}:
    parameters: [{name: group, in: path, required: true, schema: {type: string}}]
    post: {operationId: createGroup, responses: {'201': {description: made}, '409': {description: The name is taken.}}}
  /groups/{group}/members:
    parameters: [{name: group, in: path, required: true, schema: {type: string}}]
    get: {operationId: listMembers, responses: {'200': {description: all, content: {application/json: {schema: {type: array, items: {type: string}}}}}, '404': {description: no group}}}
  /files/{file}:
    parameters: [{name: file, in: path, required: true, schema: {type: string}}]
    put: {operationId: putFile, responses: {'200': {description: kept}}}
    get: {operationId: getFile, responses: {'200': {description: its content}, '404': {description: none}}}
  /tokens:
    post:
      operationId: createToken
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [note]
              properties: {note: {type: string}, roles: {type: array, items: {type: string}}, scopes: {type: array, items: {type: string}}}
      responses: {'201': {description: made, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}, '400': {description: refused}}
  /tokens/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getToken, responses: {'200': {description: one, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}, '404': {description: none}}}
  /guests:
    post:
      operationId: addGuests
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {usernames: {type: array, items: {type: string}}, note: {type: string, nullable: true}}}}}}
      responses: {'201': {description: made}, '409': {description: The name is taken.}}
  /leases/{owner}/{room_name}:
    parameters:
    - {name: owner, in: path, required: true, schema: {type: string}}
    - {name: room_name, in: path, required: true, schema: {type: string}}
    get: {operationId: getLease, responses: {'200': {description: one}, '404': {description: none}}}
  /houses/{house}/rooms/{room_name}:
    parameters:
    - {name: house, in: path, required: true, schema: {type: string}}
    - {name: room_name, in: path, required: true, schema: {type: string}}
    post: {operationId: addRoom, responses: {'201': {description: made}}}
  /boxes:
    post:
      operationId: createBox
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
      responses: {'200': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}, '400': {description: refused}}
    patch:
      operationId: changeBoxes
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {keys: {type: array, items: {type: string}}, data: {type: object, properties: {title: {type: string}}}}}}}}
      responses: {'204': {description: changed}, '403': {description: none}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getBox, responses: {'200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}, '404': {description: none}}}
  /vaults/{id}:
    parameters: [{name: id, in: path, required: true, example: 8cbb43fe-4cdf-4991-8352-c461779cec02, schema: {type: string}}]
    get: {operationId: getVault, responses: {'200': {description: one}, '404': {description: none}}}
  /star:
    post: {operationId: star, responses: {'204': {description: starred}}}
components:
  schemas:
    Flag: {type: object, required: [name], properties: {name: {type: string}}}
    Tenant: {type: object, required: [name], properties: {name: {type: string}}}
    Box:
      type: object
      properties: {id: {type: string}, title: {type: string}, madeBy: {oneOf: [{type: string}, {type: integer}]}, createdAt: {type: string, nullable: true}}
";

/// The records of a depot, and the requests that it refused.
#[derive(Default)]
struct Depot {
    known: BTreeSet<String>,
    refused: BTreeMap<String, usize>,
    deleted: usize,
}

type Shared = Arc<Mutex<Depot>>;

async fn start() -> (u16, Shared) {
    let shared = Shared::default();
    let router = Router::new()
        .fallback(serve)
        .with_state(Arc::clone(&shared));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (port, shared)
}

async fn serve(
    State(shared): State<Shared>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut depot = shared.lock().unwrap();
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let is_typed = headers.contains_key("content-type");
    let (status, location, answer_body) = depot.answer(&method, uri.path(), &json, is_typed);
    if status == 400 {
        let request = format!("{method} {} {json}", uri.path());
        *depot.refused.entry(request).or_default() += 1;
    }
    let status = StatusCode::from_u16(status).unwrap();
    let mut headers = HeaderMap::new();
    if let Some(location) = location {
        headers.insert("location", location.parse().unwrap());
    }
    match answer_body {
        Value::Null => (status, headers).into_response(),
        answer_body => (status, headers, axum::Json(answer_body)).into_response(),
    }
}

impl Depot {
    fn answer(
        &mut self,
        method: &Method,
        path: &str,
        json: &Value,
        is_typed: bool,
    ) -> (u16, Option<String>, Value) {
        let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
        let name = json["name"].as_str();
        let plain = |status: u16, answer_body: Value| (status, None, answer_body);
        match (method.as_str(), &segments[..]) {
            ("GET", ["projects"]) => plain(200, json!([{"id": "first", "title": "First"}])),
            ("DELETE", ["projects", "first"]) => {
                self.deleted += 1;
                plain(204, Value::Null)
            }
            ("GET", ["projects", "first", "flags"]) => plain(200, json!([])),
            ("POST", ["projects", "first", "flags"]) => {
                self.create(name, "flag", json.clone(), 201)
            }
            ("GET", ["projects", "first", "flags", key]) => self.read(key, "flag"),
            ("POST", ["tenants"]) => self.create(name, "tenant", json!({}), 200),
            ("GET", ["tenants", key]) => self.read(key, "tenant"),
            ("POST", ["rooms"]) if json["floor"].is_i64() => {
                let key = format!("r{}", self.known.len());
                self.known.insert(format!("room {key}"));
                (201, Some(format!("/rooms/{key}")), Value::Null)
            }
            ("GET", ["rooms", key, "floor"]) if self.has(key, "room") => plain(200, json!(1)),
            ("POST", ["groups", key]) => self.create(Some(key), "group", Value::Null, 201),
            ("GET", ["groups", key, "members"]) if self.has(key, "group") => plain(200, json!([])),
            ("PUT", ["files", key]) => {
                self.known.insert(format!("file {key}"));
                plain(200, Value::Null)
            }
            ("GET", ["files", key]) if self.has(key, "file") => plain(200, Value::Null),
            ("POST", ["tokens"]) => {
                let is_both = json.get("roles").is_some() && json.get("scopes").is_some();
                if json["note"].is_string() && !is_both {
                    let key = format!("t{}", self.known.len());
                    self.create(Some(&key), "token", json!({"id": key}), 201)
                } else {
                    plain(400, Value::Null)
                }
            }
            ("GET", ["tokens", key]) if self.has(key, "token") => plain(200, json!({"id": key})),
            ("POST", ["guests"]) => {
                let names = json["usernames"].as_array().cloned().unwrap_or_default();
                let is_new = |item: &Value| self.known.insert(format!("guest {item}"));
                let is_granted = !names.is_empty() && names.iter().all(is_new);
                plain(if is_granted { 201 } else { 409 }, Value::Null)
            }
            ("POST", ["houses", _, "rooms", item]) => {
                self.create(Some(item), "room of", Value::Null, 201)
            }
            ("GET", ["leases", _, item]) if self.has(item, "room of") => plain(200, Value::Null),
            // Whatever the server itself says is refused, and so is what says nothing.
            ("POST", ["boxes"]) => {
                let item = ["id", "madeBy", "createdAt"];
                let is_wrong = item.iter().any(|item| json.get(item).is_some());
                match json["title"].as_str().filter(|_| !is_wrong) {
                    Some(title) => {
                        let key = format!("b{}", self.known.len());
                        self.known.insert(format!("box {key}"));
                        plain(200, json!({"id": key, "title": title}))
                    }
                    None => plain(400, Value::Null),
                }
            }
            ("PATCH", ["boxes"]) => {
                let keys = json["keys"].as_array().cloned().unwrap_or_default();
                let is_known = |item: &Value| self.has(item.as_str().unwrap_or_default(), "box");
                let is_granted = !keys.is_empty() && keys.iter().all(is_known);
                plain(if is_granted { 204 } else { 403 }, Value::Null)
            }
            ("GET", ["boxes", item]) if self.has(item, "box") => {
                plain(200, json!({"id": item, "title": "Text"}))
            }
            // Nothing is there, and the server does not say so.
            ("GET", ["vaults", _]) => plain(403, Value::Null),
            ("POST", ["star"]) => plain(if is_typed { 204 } else { 415 }, Value::Null),
            _ => plain(404, Value::Null),
        }
    }

    fn create(
        &mut self,
        name: Option<&str>,
        kind: &str,
        answer_body: Value,
        status: u16,
    ) -> (u16, Option<String>, Value) {
        match name {
            None => (400, None, Value::Null),
            Some(name) if self.known.insert(format!("{kind} {name}")) => {
                (status, None, answer_body)
            }
            Some(_) => (409, None, Value::Null),
        }
    }

    fn read(&self, name: &str, kind: &str) -> (u16, Option<String>, Value) {
        if self.has(name, kind) {
            (200, None, json!({ "name": name }))
        } else {
            (404, None, Value::Null)
        }
    }

    fn has(&self, name: &str, kind: &str) -> bool {
        self.known.contains(&format!("{kind} {name}"))
    }
}

#[tokio::test]
async fn operations_of_a_foreign_server_are_reached() {
    let folder = tempfile::tempdir().unwrap();
    let (port, depot) = start().await;
    let spec = write(folder.path(), "depot.yaml", DEPOT);
    let mut options = options(&spec, &format!("http://127.0.0.1:{port}"));
    options.laws = true;
    let record = certify(&options).await.unwrap();
    let mut unreached = Vec::new();
    for id in [
        "listFlags",
        "createFlag",
        "getFlag",
        "getTenant",
        "getFloor",
        "listMembers",
        "getFile",
        "createToken",
        "getToken",
        "addGuests",
        "getLease",
        "createBox",
        "changeBoxes",
        "getBox",
        "star",
    ] {
        let case = case(&record, &format!("laws/success/{id}"));
        if case.verdict != Verdict::Pass {
            unreached.push((id, case.reason.clone(), case.differences.clone()));
        }
    }
    assert!(unreached.is_empty(), "{unreached:#?}");
    let of_example = case(&record, "getVault/200/default");
    assert_eq!(of_example.verdict, Verdict::Skip, "{of_example:?}");
    let depot = depot.lock().unwrap();
    assert_eq!(depot.deleted, 0, "the projects are not the run's");
    let again = depot.refused.iter().filter(|item| *item.1 > 8);
    assert_eq!(again.collect::<Vec<_>>(), Vec::new());
}
