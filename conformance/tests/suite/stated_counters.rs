//! Tests entries about counters: amounts within lists, negative amounts, bounds, counts of list
//! items, and counters of a record without a key.

use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::extract::{Path as PathPart, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::level::Verdict;
use conformance::report::Record;
use serde_json::{Value, json};

use crate::support::{case, certify, ids, options, write};

const SPEC: &str = r"
openapi: 3.0.4
info: {title: Shelves, version: '1'}
paths:
  /shelves:
    post:
      operationId: makeShelf
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewShelf'}, example: {room: north}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}
        '422': {description: refused}
  /shelves/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readShelf
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Shelf'}}}}
        '404': {description: none}
  /shelves/{id}/labels:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: addLabel
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewLabel'}, example: {text: new}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Label'}}}}
        '404': {description: none}
        '409': {description: refused}
        '422': {description: refused}
  /shelves/{id}/removals:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: remove
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewRemoval'}, example: {lines: [{pieces: 4}]}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Removal'}}}}
        '404': {description: none}
        '409': {description: refused}
        '422': {description: refused}
  /shelves/{id}/corrections:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: correct
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewCorrection'}, example: {by: 6}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Correction'}}}}
        '404': {description: none}
        '409': {description: refused}
        '422': {description: refused}
  /house:
    get:
      operationId: readHouse
      responses:
        '200': {description: all, content: {application/json: {schema: {$ref: '#/components/schemas/House'}}}}
components:
  schemas:
    NewShelf: {type: object, required: [room], properties: {room: {type: string, minLength: 1}}}
    Shelf:
      type: object
      required: [id, room, stock, labels]
      properties:
        id: {type: string}
        room: {type: string}
        stock: {type: integer}
        labels: {type: array, items: {$ref: '#/components/schemas/Label'}}
    NewLabel: {type: object, required: [text], properties: {text: {type: string, minLength: 1}}}
    Label: {type: object, required: [id, text], properties: {id: {type: string}, text: {type: string}}}
    Line: {type: object, required: [pieces], properties: {pieces: {type: integer, minimum: 1, maximum: 20}}}
    NewRemoval:
      type: object
      required: [lines]
      properties: {lines: {type: array, minItems: 1, maxItems: 3, items: {$ref: '#/components/schemas/Line'}}}
    Removal:
      type: object
      required: [id, lines]
      properties: {id: {type: string}, lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}
    NewCorrection: {type: object, required: [by], properties: {by: {type: integer, minimum: -1000, maximum: 1000}}}
    Correction: {type: object, required: [id, by], properties: {id: {type: string}, by: {type: integer}}}
    House: {type: object, required: [removed], properties: {removed: {type: integer}}}
";

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A shelf has one label too many.
    Crowded,
    /// Removed items stay in stock.
    Kept,
    /// More items can be removed than there are.
    Emptied,
    /// A correction always adds.
    Absolute,
    /// A correction may make the stock negative.
    Below,
    /// The house does not count removed items.
    Uncounted,
}

struct Store {
    fault: Fault,
    shelves: Vec<Value>,
    created: usize,
    removed: i64,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), StatusCode>;

async fn start(fault: Fault) -> String {
    let store = Store {
        fault,
        shelves: Vec::new(),
        created: 0,
        removed: 0,
    };
    let router = Router::new()
        .route("/shelves", post(create))
        .route("/shelves/{id}", get(read))
        .route("/shelves/{id}/labels", post(label))
        .route("/shelves/{id}/removals", post(remove))
        .route("/shelves/{id}/corrections", post(correct))
        .route("/house", get(house))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

fn parsed(body: &str) -> Value {
    serde_json::from_str(body).unwrap_or_default()
}

impl Store {
    fn at(&self, id: &str) -> Result<usize, StatusCode> {
        let at = self.shelves.iter().position(|shelf| shelf["id"] == id);
        at.ok_or(StatusCode::NOT_FOUND)
    }

    fn id(&mut self) -> String {
        self.created += 1;
        format!("x{}", self.created)
    }

    fn stock(&self, at: usize) -> i64 {
        self.shelves[at]["stock"].as_i64().unwrap()
    }
}

fn text(body: &Value, name: &str) -> Result<Value, StatusCode> {
    let text = body[name].as_str().filter(|name| !name.is_empty());
    text.map(|text| json!(text))
        .ok_or(StatusCode::UNPROCESSABLE_ENTITY)
}

async fn create(State(store): Shared, body: String) -> Answer {
    let room = text(&parsed(&body), "room")?;
    let mut store = store.lock().unwrap();
    let shelf = json!({"id": store.id(), "room": room, "stock": 50, "labels": []});
    store.shelves.push(shelf.clone());
    Ok((StatusCode::CREATED, Json(shelf)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let store = store.lock().unwrap();
    let at = store.at(&id)?;
    Ok((StatusCode::OK, Json(store.shelves[at].clone())))
}

async fn label(State(store): Shared, PathPart(id): PathPart<String>, body: String) -> Answer {
    let mut store = store.lock().unwrap();
    let at = store.at(&id)?;
    let text = text(&parsed(&body), "text")?;
    let most = if store.fault == Fault::Crowded { 5 } else { 4 };
    if store.shelves[at]["labels"].as_array().unwrap().len() >= most {
        return Err(StatusCode::CONFLICT);
    }
    let label = json!({"id": store.id(), "text": text});
    let labels = store.shelves[at]["labels"].as_array_mut().unwrap();
    labels.push(label.clone());
    Ok((StatusCode::CREATED, Json(label)))
}

async fn remove(State(store): Shared, PathPart(id): PathPart<String>, body: String) -> Answer {
    let mut store = store.lock().unwrap();
    let at = store.at(&id)?;
    let body = parsed(&body);
    let lines = body["lines"]
        .as_array()
        .filter(|body| (1..=3).contains(&body.len()));
    let lines = lines.ok_or(StatusCode::UNPROCESSABLE_ENTITY)?;
    let pieces = |line: &Value| {
        line["pieces"]
            .as_i64()
            .filter(|number| (1..=20).contains(number))
    };
    let pieces: Option<i64> = lines.iter().map(pieces).sum();
    let pieces = pieces.ok_or(StatusCode::UNPROCESSABLE_ENTITY)?;
    let stock = store.stock(at);
    if pieces > stock && store.fault != Fault::Emptied {
        return Err(StatusCode::CONFLICT);
    }
    if store.fault != Fault::Kept {
        store.shelves[at]["stock"] = json!(stock - pieces);
    }
    if store.fault != Fault::Uncounted {
        store.removed += 1;
    }
    let removal = json!({"id": store.id(), "lines": body["lines"]});
    Ok((StatusCode::CREATED, Json(removal)))
}

async fn correct(State(store): Shared, PathPart(id): PathPart<String>, body: String) -> Answer {
    let mut store = store.lock().unwrap();
    let at = store.at(&id)?;
    let by = parsed(&body)["by"].as_i64();
    let by = by.filter(|by| (-1000..=1000).contains(by));
    let by = by.ok_or(StatusCode::UNPROCESSABLE_ENTITY)?;
    let stock = store.stock(at);
    if stock + by < 0 && store.fault != Fault::Below {
        return Err(StatusCode::CONFLICT);
    }
    let moved = if store.fault == Fault::Absolute {
        by.abs()
    } else {
        by
    };
    store.shelves[at]["stock"] = json!(stock + moved);
    let correction = json!({"id": store.id(), "by": by});
    Ok((StatusCode::CREATED, Json(correction)))
}

async fn house(State(store): Shared) -> Answer {
    let store = store.lock().unwrap();
    Ok((StatusCode::OK, Json(json!({"removed": store.removed}))))
}

async fn run(folder: &Path, entry: &str, fault: Fault) -> Record {
    let spec = write(folder, "api.yaml", SPEC);
    let behaviour = format!("behaviour: 2.0.0\nfacts:\n  - {entry}\n");
    write(folder, "behaviour.yaml", &behaviour);
    let mut options = options(&spec, &start(fault).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

/// A correct server has no finding, and a fault fails.
async fn leads_to_its_test(entry: &str, fault: Fault, (id, check): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let record = run(folder.path(), entry, Fault::None).await;
    let cases = record.cases.iter();
    let found: Vec<_> = cases.filter(|case| !case.differences.is_empty()).collect();
    assert!(found.is_empty(), "{entry}: {found:#?}");
    assert_eq!(case(&record, id).verdict, Verdict::Pass, "{entry}");
    let record = run(folder.path(), entry, fault).await;
    let tried = case(&record, id);
    let is_known = tried
        .differences
        .iter()
        .any(|difference| difference.check.id == check);
    assert!(is_known, "{entry}: {tried:#?} {:#?}", ids(&record));
    assert_eq!(tried.verdict, Verdict::Fail, "{tried:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_items_of_a_list_are_counted() {
    let entry = "counter: {subject: {of: Shelf, name: labels}, raisedBy: [{operation: addLabel}], most: '4', status: 409}";
    let found = ("laws/moves/addLabel", "sum-exceeded");
    leads_to_its_test(entry, Fault::Crowded, found).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_within_a_list_moves_a_number() {
    let entry = "counter: {subject: {of: Shelf, name: stock}, loweredBy: [{operation: remove, by: lines.pieces}], least: '0', status: 409}";
    let id = "laws/moves/remove";
    leads_to_its_test(entry, Fault::Kept, (id, "balance-unmoved")).await;
    // No request may remove the whole stock.
    leads_to_its_test(entry, Fault::Emptied, (id, "sum-exceeded")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_may_be_negative() {
    let entry = "counter: {subject: {of: Shelf, name: stock}, raisedBy: [{operation: correct, by: by}], least: '0', status: 409}";
    let id = "laws/moves/correct";
    leads_to_its_test(entry, Fault::Absolute, (id, "balance-unmoved")).await;
    leads_to_its_test(entry, Fault::Below, (id, "sum-exceeded")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_without_a_key_is_counted() {
    let entry =
        "counter: {subject: {of: readHouse, name: removed}, raisedBy: [{operation: remove}]}";
    let found = ("laws/moves/remove", "total-differs");
    leads_to_its_test(entry, Fault::Uncounted, found).await;
}
