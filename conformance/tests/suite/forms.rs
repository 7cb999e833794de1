//! Tests a server that accepts forms, names its records without declaring keys, and completes a
//! step at once unless the request defers it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::support::{certify, options, troubles, write};
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde_json::{Value, json};

const SPEC: &str = r"
openapi: 3.0.3
info: {title: Charges, version: '1'}
paths:
  /charges:
    post:
      operationId: addCharge
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [amount]
              properties:
                amount: {type: integer, minimum: 50, maximum: 5000, example: 2000}
                capture: {type: boolean, default: true}
                note: {type: string, maxLength: 20}
                tags: {type: object, additionalProperties: {type: string, maxLength: 10}}
            encoding: {tags: {style: deepObject, explode: true}}
      responses:
        '200': {$ref: '#/components/responses/Charge'}
        '400': {description: no}
  /charges/{charge}:
    parameters: [{$ref: '#/components/parameters/charge'}]
    get:
      operationId: getCharge
      responses: {'200': {$ref: '#/components/responses/Charge'}, '404': {description: not there}}
  /charges/{charge}/capture:
    parameters: [{$ref: '#/components/parameters/charge'}]
    post:
      operationId: captureCharge
      description: Captures a charge that was made with `capture=false`.
      responses:
        '200': {$ref: '#/components/responses/Charge'}
        '404': {description: not there}
        '409': {description: It was captured before.}
components:
  parameters:
    charge: {name: charge, in: path, required: true, schema: {type: string}, example: ch_0}
  responses:
    Charge:
      description: the charge
      content: {application/json: {schema: {$ref: '#/components/schemas/Charge'}}}
  schemas:
    Charge:
      type: object
      required: [id, amount, captured, note, tags]
      properties:
        id: {type: string}
        amount: {type: integer}
        captured: {type: boolean}
        note: {nullable: true, anyOf: [{type: string}]}
        tags: {type: object, additionalProperties: {type: string}}
";

type Charges = Arc<Mutex<Vec<Value>>>;

struct Server {
    fault: &'static str,
    charges: Charges,
}

/// The fields of a form. `None` when the document does not describe it.
fn fields(headers: &HeaderMap, body: &[u8], fault: &str) -> Option<Value> {
    let media_type = headers.get("content-type")?.to_str().ok()?;
    if media_type != "application/x-www-form-urlencoded" {
        return None;
    }
    let address = format!("/?{}", std::str::from_utf8(body).ok()?);
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(&address.parse().ok()?);
    let (mut tags, mut plain) = (BTreeMap::new(), BTreeMap::new());
    for (name, value) in pairs.ok()?.0 {
        match name.strip_prefix("tags[") {
            Some(tag) => tags.insert(tag.strip_suffix(']')?.to_owned(), value),
            None => plain.insert(name, value),
        };
    }
    let amount: u32 = plain.remove("amount")?.parse().ok()?;
    let most = if fault == "maximum" { u32::MAX } else { 5_000 };
    let capture = plain.remove("capture");
    let note = plain.remove("note");
    let is_long = |server: &String, most: usize| server.chars().count() > most;
    let is_known = matches!(capture.as_deref(), None | Some("true" | "false"));
    let is_right = (50..=most).contains(&amount) && plain.is_empty() && is_known;
    let is_long = note.as_ref().is_some_and(|server| is_long(server, 20))
        || tags.values().any(|server| is_long(server, 10));
    let tags = if fault == "tags" {
        BTreeMap::new()
    } else {
        tags
    };
    (is_right && !is_long).then(|| {
        let captured = capture.as_deref() != Some("false");
        json!({"amount": amount, "captured": captured, "note": note, "tags": tags})
    })
}

async fn add(State(server): State<Arc<Server>>, headers: HeaderMap, body: Bytes) -> Response {
    let Some(mut charge) = fields(&headers, &body, server.fault) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let mut charges = server.charges.lock().unwrap();
    charge["id"] = json!(format!("ch_{}", charges.len() + 1));
    charges.push(charge.clone());
    axum::Json(charge).into_response()
}

async fn read(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    let charges = server.charges.lock().unwrap();
    match charges.iter().find(|server| server["id"] == id) {
        Some(charge) => axum::Json(charge.clone()).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn capture(State(server): State<Arc<Server>>, Path(id): Path<String>) -> Response {
    let mut charges = server.charges.lock().unwrap();
    let Some(charge) = charges.iter_mut().find(|server| server["id"] == id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if charge["captured"] == true {
        return StatusCode::CONFLICT.into_response();
    }
    let mut captured = charge.clone();
    captured["captured"] = json!(true);
    if server.fault != "forgotten" {
        charge.clone_from(&captured);
    }
    axum::Json(captured).into_response()
}

#[tokio::test]
async fn a_server_with_forms_is_tested_like_one_with_json() {
    for (fault, expected) in [
        ("none", &[][..]),
        ("maximum", &["constraint-ignored"]),
        ("tags", &["echo"]),
        ("forgotten", &["read-differs"]),
    ] {
        let server = Server {
            fault,
            charges: Charges::default(),
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new()
            .route("/charges", post(add))
            .route("/charges/{charge}", get(read))
            .route("/charges/{charge}/capture", post(capture))
            .with_state(Arc::new(server));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        let folder = tempfile::tempdir().unwrap();
        let spec = write(folder.path(), "openapi.yaml", SPEC);
        let mut options = options(&spec, &address);
        options.laws = true;
        let record = certify(&options).await.unwrap();
        let found = record.cases.iter().flat_map(|server| &server.differences);
        let mut found: Vec<&str> = found.map(|server| server.check.id).collect();
        found.dedup();
        if fault == "none" {
            let troubles = troubles(&record);
            assert!(troubles.is_empty(), "{troubles:#?}");
        }
        let is_named = expected.iter().all(|server| found.contains(server));
        assert!(
            is_named && (fault == "none") == found.is_empty(),
            "{fault}: {found:?}"
        );
    }
}
