//! Tests entries about amounts that no name and no example suggests: they lead to tests, and
//! findings quote them.

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
info: {title: Jars, version: '1'}
paths:
  /jars:
    post:
      operationId: makeJar
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewJar'}, example: {brim: 90}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Jar'}}}}
        '422': {description: refused}
  /jars/{id}:
    get:
      operationId: readJar
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Jar'}}}}
        '404': {description: none}
  /jars/{id}/pours:
    post:
      operationId: pour
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewPour'}, example: {weight: 20}}}
      responses:
        '201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Pour'}}}}
        '404': {description: none}
        '409': {description: refused}
        '422': {description: refused}
components:
  schemas:
    NewJar: {type: object, required: [brim], properties: {brim: {type: integer, minimum: 1}}}
    Jar:
      type: object
      required: [id, brim, inside, spare, heft, times]
      properties:
        id: {type: string}
        brim: {type: integer}
        inside: {type: integer}
        spare: {type: integer}
        heft: {type: integer}
        times: {type: integer}
    NewPour: {type: object, required: [weight], properties: {weight: {type: integer, minimum: 1}}}
    Pour:
      type: object
      required: [id, weight]
      properties: {id: {type: string}, weight: {type: integer}}
";

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// A jar is one unit too heavy.
    Heavy,
    /// The poured amount is not inside.
    Lost,
    /// The number of times stays the same.
    Uncounted,
    /// A jar accepts more than it holds in several parts.
    Parts,
    /// A jar accepts any weight.
    Endless,
}

struct Store {
    fault: Fault,
    jars: Vec<Value>,
    pours: usize,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), StatusCode>;

async fn start(fault: Fault) -> String {
    let store = Store {
        fault,
        jars: Vec::new(),
        pours: 0,
    };
    let router = Router::new()
        .route("/jars", post(create))
        .route("/jars/{id}", get(read))
        .route("/jars/{id}/pours", post(pour))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

fn positive(body: &str, name: &str) -> Result<u64, StatusCode> {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let number = body[name].as_u64().filter(|number| *number > 0);
    number.ok_or(StatusCode::UNPROCESSABLE_ENTITY)
}

/// A jar of 300 with its content.
fn jar(fault: Fault, (id, brim): (&Value, u64), (inside, times): (u64, u64)) -> Value {
    let heft = 300 + inside + u64::from(fault == Fault::Heavy);
    let spare = brim.saturating_sub(inside);
    json!({"id": id, "brim": brim, "inside": inside, "spare": spare, "heft": heft, "times": times})
}

async fn create(State(store): Shared, body: String) -> Answer {
    let brim = positive(&body, "brim")?;
    let mut store = store.lock().unwrap();
    let id = json!(format!("j{}", store.jars.len()));
    let jar = jar(store.fault, (&id, brim), (0, 0));
    store.jars.push(jar.clone());
    Ok((StatusCode::CREATED, Json(jar)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let store = store.lock().unwrap();
    let found = store.jars.iter().find(|jar| jar["id"] == id);
    let found = found.ok_or(StatusCode::NOT_FOUND)?;
    Ok((StatusCode::OK, Json(found.clone())))
}

async fn pour(State(store): Shared, PathPart(id): PathPart<String>, body: String) -> Answer {
    let mut store = store.lock().unwrap();
    let fault = store.fault;
    let at = store.jars.iter().position(|jar| jar["id"] == id);
    let at = at.ok_or(StatusCode::NOT_FOUND)?;
    let weight = positive(&body, "weight")?;
    let number = |name: &str| store.jars[at][name].as_u64().unwrap();
    let (brim, inside, times) = (number("brim"), number("inside"), number("times"));
    let room = match fault {
        Fault::Endless => u64::MAX,
        Fault::Parts => brim,
        _ => brim - inside,
    };
    if weight > room {
        return Err(StatusCode::CONFLICT);
    }
    let inside = if fault == Fault::Lost {
        inside
    } else {
        inside + weight
    };
    let times = if fault == Fault::Uncounted {
        times
    } else {
        times + 1
    };
    let id = store.jars[at]["id"].clone();
    store.jars[at] = jar(fault, (&id, brim), (inside, times));
    store.pours += 1;
    let created = json!({"id": format!("p{}", store.pours), "weight": weight});
    Ok((StatusCode::CREATED, Json(created)))
}

async fn run(folder: &Path, entry: Option<&str>, fault: Fault) -> Record {
    let spec = write(folder, "api.yaml", SPEC);
    let facts = entry.map(|entry| format!("facts:\n  - {entry}\n"));
    let behaviour = format!("behaviour: 2.0.0\n{}", facts.unwrap_or_default());
    write(folder, "behaviour.yaml", &behaviour);
    let mut options = options(&spec, &start(fault).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

/// With the entry a correct server has no finding, and a fault fails with the entry quoted. Without
/// it the fault is not found.
async fn leads_to_its_test(entry: &str, fault: Fault, (id, check): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let record = run(folder, Some(entry), Fault::None).await;
    let cases = record.cases.iter();
    let found: Vec<_> = cases.filter(|case| !case.differences.is_empty()).collect();
    assert!(found.is_empty(), "{entry}: {found:#?}");
    assert_eq!(case(&record, id).verdict, Verdict::Pass, "{entry}");
    let record = run(folder, None, fault).await;
    let mut all = record.cases.iter().flat_map(|case| &case.differences);
    let unstated = all.find(|item| item.check.id == check);
    assert!(unstated.is_none(), "{entry}: {unstated:#?}");
    let record = run(folder, Some(entry), fault).await;
    let tried = case(&record, id);
    let known = tried
        .differences
        .iter()
        .find(|difference| difference.check.id == check);
    let known = known.unwrap_or_else(|| panic!("{entry}: {tried:#?} {:#?}", ids(&record)));
    assert_eq!(tried.verdict, Verdict::Fail, "{tried:#?}");
    let words = format!("- {entry}");
    let mut because = known.because.iter();
    assert!(because.any(|item| item.words == words), "{known:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_amount_is_the_sum_of_its_parts() {
    let entry = "equation: {subject: {of: Jar, name: heft}, equals: inside + 300}";
    let found = ("laws/balance/readJar", "sum-differs");
    leads_to_its_test(entry, Fault::Heavy, found).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_moves_a_number() {
    let by = "raisedBy: [{operation: pour, by: weight}]";
    let entry = format!("counter: {{subject: {{of: Jar, name: inside}}, {by}}}");
    leads_to_its_test(&entry, Fault::Lost, ("laws/moves/pour", "sum-differs")).await;
    let by = "raisedBy: [{operation: pour}]";
    let entry = format!("counter: {{subject: {{of: Jar, name: times}}, {by}}}");
    leads_to_its_test(
        &entry,
        Fault::Uncounted,
        ("laws/moves/pour", "total-differs"),
    )
    .await;
    let by = "loweredBy: [{operation: pour, by: weight}], least: '0'";
    let entry = format!("counter: {{subject: {{of: Jar, name: spare}}, {by}}}");
    leads_to_its_test(&entry, Fault::Lost, ("laws/moves/pour", "balance-unmoved")).await;
    leads_to_its_test(&entry, Fault::Endless, ("laws/moves/pour", "sum-exceeded")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_withdrawal_never_exceeds_the_stock() {
    let entry =
        "sum-limit: {subject: {of: pour, name: weight}, limit: {of: Jar, name: brim}, status: 409}";
    for fault in [Fault::Parts, Fault::Endless] {
        leads_to_its_test(entry, fault, ("laws/sums/pour", "sum-exceeded")).await;
    }
}
