//! Tests that an entry of `facts` leads to a test although no name and no sentence suggests it, and
//! that its finding quotes the entry. A sentence leads to the same test, which only warns.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{Path as PathPart, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::level::Verdict;
use conformance::report::Record;
use serde_json::{Value, json};

use crate::support::{binary, case, certify, ids, options, write};

/// A document; the words in capitals are placeholders for sentences.
const SPEC: &str = r"
openapi: 3.0.4
info: {title: Parcels, version: '1'}
paths:
  /parcels:
    get:
      operationId: listParcels
      description: LIST
      parameters:
        - {name: many, in: query, description: MANY, schema: {type: integer, minimum: 1, maximum: 50}}
        - {name: leaf, in: query, description: LEAF, schema: {type: integer, minimum: 1}}
        - {name: hue, in: query, schema: {type: string, enum: [red, blue]}}
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Parcel'}}}}}
        '422': {description: refused}
    post:
      operationId: createParcel
      parameters:
        - {name: Dedupe-Token, in: header, description: TOKEN, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewParcel'}
            example: {label: Cherry, berth: north-twelve, colour: red, speed: fast, zone: home}
      responses:
        '201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '409': {description: refused}
        '422': {description: refused}
  /parcels/{id}:
    get:
      operationId: getParcel
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '404': {description: none}
  /parcels/{id}/dispatch:
    post:
      operationId: dispatchParcel
      description: DISPATCH
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: done, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '404': {description: none}
components:
  schemas:
    NewParcel:
      type: object
      required: [label]
      properties:
        label: {type: string}
        berth: {type: string, description: BERTH}
        colour: {type: string, enum: [red, blue]}
        speed: {type: string, enum: [slow, fast], description: SPEED}
        zone: {type: string, enum: [home, abroad]}
        customs: {type: string, description: CUSTOMS}
        batch: {type: string}
    Parcel:
      type: object
      required: [id, label, status]
      properties:
        id: {type: string}
        label: {type: string}
        berth: {type: string}
        colour: {type: string, enum: [red, blue]}
        speed: {type: string, enum: [slow, fast]}
        zone: {type: string, enum: [home, abroad]}
        customs: {type: string}
        status: {type: string, enum: [open, gone]}
";

/// The placeholders for sentences.
const PLACES: [&str; 8] = [
    "LIST", "MANY", "LEAF", "TOKEN", "DISPATCH", "BERTH", "SPEED", "CUSTOMS",
];

/// A fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// The server accepts a second parcel for a berth.
    Taken,
    /// A parcel without a speed is fast.
    Fast,
    /// A list without a requested size has one item.
    One,
    /// A dispatched parcel stays open.
    Kept,
    /// A list has the order of creation.
    Unsorted,
    /// A list ignores the requested hue.
    Grey,
    /// A parcel abroad needs no customs.
    Free,
    /// The server ignores a token or a batch.
    Forgetful,
    /// A page after the first one begins one item late.
    Late,
}

struct Store {
    fault: Fault,
    /// The kind of fact that holds; other rules would get in its way.
    kind: String,
    /// Whether a repeated request gets the first answer with any key.
    is_whole: bool,
    parcels: Vec<Value>,
    /// The bodies and answers of requests with a token.
    tokens: BTreeMap<String, (Value, Value)>,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), StatusCode>;

async fn start(fact: &str, fault: Fault) -> String {
    let (kind, _) = fact.split_once('/').unwrap();
    let store = Store {
        fault,
        kind: kind.to_owned(),
        is_whole: fact == "idempotency/createParcel",
        parcels: Vec::new(),
        tokens: BTreeMap::new(),
    };
    let router = Router::new()
        .route("/parcels", get(list).post(create))
        .route("/parcels/{id}", get(read))
        .route("/parcels/{id}/dispatch", post(dispatch))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// The list by label, in pages.
async fn list(State(store): Shared, Query(query): Query<BTreeMap<String, String>>) -> Answer {
    let store = store.lock().unwrap();
    let number = |name: &str, most: usize| match query.get(name).map(|name| name.parse::<usize>()) {
        None => Ok(None),
        Some(Ok(size)) if (1..=most).contains(&size) => Ok(Some(size)),
        Some(_) => Err(StatusCode::UNPROCESSABLE_ENTITY),
    };
    let most = match store.fault {
        Fault::One => 1,
        _ if store.kind == "default" => 50,
        _ => usize::MAX,
    };
    let many = number("many", 50)?.unwrap_or(most);
    let leaf = number("leaf", usize::MAX)?.unwrap_or(1);
    let hue = query.get("hue");
    if hue.is_some_and(|hue| !["red", "blue"].contains(&hue.as_str())) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let hue = hue.filter(|_| store.fault != Fault::Grey);
    let fits = |value: &&Value| hue.is_none_or(|hue| value["colour"] == hue.as_str());
    let mut all: Vec<Value> = store.parcels.iter().filter(fits).cloned().collect();
    if store.fault != Fault::Unsorted {
        all.sort_by_key(|item| item["label"].as_str().unwrap().to_lowercase());
    }
    let late = usize::from(store.fault == Fault::Late && leaf > 1);
    let from = many.saturating_mul(leaf - 1) + late;
    let page = all.into_iter().skip(from).take(many);
    Ok((StatusCode::OK, Json(page.collect())))
}

fn is_valid(body: &Value) -> bool {
    let one_of = |name: &str, all: [&str; 2]| match body.get(name) {
        None => true,
        Some(value) => value.as_str().is_some_and(|item| all.contains(&item)),
    };
    let is_text = |name: &str| body.get(name).is_none_or(Value::is_string);
    body["label"].is_string()
        && is_text("berth")
        && is_text("customs")
        && is_text("batch")
        && one_of("colour", ["red", "blue"])
        && one_of("speed", ["slow", "fast"])
        && one_of("zone", ["home", "abroad"])
}

async fn create(State(store): Shared, headers: HeaderMap, body: Bytes) -> Answer {
    let mut store = store.lock().unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let is_bound = store.kind == "requires" && store.fault != Fault::Free;
    let lacks = body["zone"] == "abroad" && body.get("customs").is_none();
    if !is_valid(&body) || (is_bound && lacks) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let token = headers
        .get("dedupe-token")
        .map(|header| header.to_str().unwrap());
    let token = token.or_else(|| body["batch"].as_str());
    let whole = store.is_whole.then(|| body.to_string());
    let token = token.or(whole.as_deref());
    let token = token.filter(|_| store.kind == "idempotency" && store.fault != Fault::Forgetful);
    let token = token.map(str::to_owned);
    if let Some((first, answer)) = token.as_ref().and_then(|token| store.tokens.get(token)) {
        let is_same = *first == body;
        let answer = (StatusCode::CREATED, Json(answer.clone()));
        return Some(answer).filter(|_| is_same).ok_or(StatusCode::CONFLICT);
    }
    let is_unique = store.kind == "unique" && store.fault != Fault::Taken;
    let berth = body.get("berth").filter(|_| is_unique);
    let has_it = |value: &Value| value.get("berth") == berth;
    if berth.is_some() && store.parcels.iter().any(has_it) {
        return Err(StatusCode::CONFLICT);
    }
    let id = format!("p{}", store.parcels.len());
    let is_fast = store.fault == Fault::Fast;
    let speed = if is_fast { "fast" } else { "slow" };
    let mut parcel = json!({"id": id, "status": "open", "speed": speed});
    for name in ["label", "berth", "colour", "speed", "zone", "customs"] {
        if let Some(value) = body.get(name) {
            parcel[name] = value.clone();
        }
    }
    store.parcels.push(parcel.clone());
    if let Some(token) = token {
        store.tokens.insert(token, (body, parcel.clone()));
    }
    Ok((StatusCode::CREATED, Json(parcel)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let store = store.lock().unwrap();
    let found = store.parcels.iter().find(|parcel| parcel["id"] == id);
    let found = found.ok_or(StatusCode::NOT_FOUND)?;
    Ok((StatusCode::OK, Json(found.clone())))
}

async fn dispatch(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let mut store = store.lock().unwrap();
    let is_kept = store.fault == Fault::Kept;
    let mut parcels = store.parcels.iter_mut();
    let parcel = parcels.find(|parcel| parcel["id"] == id);
    let parcel = parcel.ok_or(StatusCode::NOT_FOUND)?;
    if !is_kept {
        parcel["status"] = "gone".into();
    }
    Ok((StatusCode::OK, Json(parcel.clone())))
}

/// A fact, and a server that breaks it.
struct Row {
    /// The id of the fact.
    fact: &'static str,
    /// The entries of the behaviour file; findings quote the first one.
    entries: &'static [&'static str],
    /// The placeholder and the sentence that states the same fact.
    sentence: Option<(&'static str, &'static str)>,
    fault: Fault,
    case: &'static str,
    check: &'static str,
}

/// Runs the laws on a server with a fault.
async fn run(
    folder: &Path,
    row: &Row,
    (is_stated, is_written): (bool, bool),
    fault: Fault,
) -> Record {
    let mut text = SPEC.to_owned();
    for place in PLACES {
        let row_sentence = row
            .sentence
            .filter(|sentence| is_written && sentence.0 == place);
        text = text.replace(
            place,
            &format!("'{}'", row_sentence.map_or("x", |item| item.1)),
        );
    }
    let spec = write(folder, "api.yaml", &text);
    let facts = if is_stated {
        format!("facts:\n  - {}\n", row.entries.join("\n  - "))
    } else {
        String::new()
    };
    let facts = format!("behaviour: 2.0.0\n{facts}");
    write(folder, "behaviour.yaml", &facts);
    let mut options = options(&spec, &start(row.fact, fault).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

/// The findings for a correct server, by case.
fn found(record: &Record) -> Vec<String> {
    let found = record
        .cases
        .iter()
        .filter(|case| !case.differences.is_empty());
    found.map(|found| format!("{found:#?}")).collect()
}

/// Without the fact there is no finding. When it is stated, the case fails and quotes the entry;
/// when it was read, the case warns and quotes the sentence. A correct server has no finding.
async fn leads_to_its_test(row: Row) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for source in [(true, false), (false, true)] {
        if source.1 && row.sentence.is_none() {
            continue;
        }
        let record = run(folder, &row, source, Fault::None).await;
        assert_eq!(found(&record), Vec::<String>::new(), "{source:?}");
        let tried = case(&record, row.case);
        assert_eq!(tried.verdict, Verdict::Pass, "{tried:#?}");
    }
    let is_it = |difference: &&conformance::judge::Difference| difference.check.id == row.check;
    let record = run(folder, &row, (false, false), row.fault).await;
    let tried = record.cases.iter().find(|case| case.id == row.case);
    let known = tried.and_then(|tried| tried.differences.iter().find(is_it));
    assert!(known.is_none(), "{known:#?}");
    let record = run(folder, &row, (true, false), row.fault).await;
    let tried = case(&record, row.case);
    let difference = tried.differences.iter().find(is_it);
    let difference = difference.unwrap_or_else(|| panic!("{tried:#?} {:#?}", ids(&record)));
    assert_eq!(tried.verdict, Verdict::Fail, "{tried:#?}");
    let quoted = difference
        .because
        .iter()
        .find(|item| item.spot.file.ends_with("behaviour.yaml"));
    let quoted = quoted.map(|quoted| {
        (
            quoted.evidence.as_str(),
            quoted.spot.line,
            quoted.words.as_str(),
        )
    });
    let entry = format!("- {}", row.entries[0]);
    assert_eq!(
        quoted,
        Some(("stated", 3, entry.as_str())),
        "{difference:#?}"
    );
    // The list of cases contains the stated fact.
    let arguments = [
        "run",
        "--spec",
        "api.yaml",
        "--url",
        "http://127.0.0.1:9",
        "--dry-run",
    ];
    let output = binary(&arguments, folder);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let line = format!("{} tests {} (stated)", row.case, row.fact);
    assert!(text.contains(&line), "{line}\n{text}");
    let Some((_, sentence)) = row.sentence else {
        return;
    };
    let record = run(folder, &row, (false, true), row.fault).await;
    let tried = case(&record, row.case);
    let difference = tried.differences.iter().find(is_it);
    let difference = difference.unwrap_or_else(|| panic!("{tried:#?}"));
    assert_eq!(tried.verdict, Verdict::Warn, "{tried:#?}");
    let mut because = difference.because.iter();
    assert!(
        because.any(|item| item.words == sentence),
        "{difference:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unique_value_is_sent_for_a_second_record() {
    leads_to_its_test(Row {
        fact: "unique/createParcel/berth",
        entries: &["unique: {subject: {of: createParcel, name: berth}}"],
        sentence: Some(("BERTH", "Must be unique within a depot.")),
        fault: Fault::Taken,
        case: "laws/clashes/createParcel",
        check: "key-reused",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_omitted_property_has_its_default() {
    leads_to_its_test(Row {
        fact: "default/NewParcel/speed",
        entries: &["default: {subject: {of: NewParcel, name: speed}, value: slow}"],
        sentence: Some(("SPEED", "Defaults to `slow`.")),
        fault: Fault::Fast,
        case: "laws/defaults/createParcel",
        check: "default-differs",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_omitted_parameter_has_its_default() {
    leads_to_its_test(Row {
        fact: "default/listParcels/many",
        entries: &["default: {subject: {of: listParcels, name: many}, value: '50'}"],
        sentence: Some(("MANY", "Defaults to 50.")),
        fault: Fault::One,
        case: "laws/paging/listParcels",
        check: "default-differs",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_sets_a_property() {
    leads_to_its_test(Row {
        fact: "effect/dispatchParcel/gone",
        entries: &["effect: {operation: dispatchParcel, property: status, value: gone}"],
        sentence: Some(("DISPATCH", "Sets the status to `gone`.")),
        fault: Fault::Kept,
        case: "laws/effects/dispatchParcel",
        check: "step-undone",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_has_its_order() {
    leads_to_its_test(Row {
        fact: "order/listParcels/label",
        entries: &["order: {subject: {of: listParcels}, by: label, direction: ascending}"],
        sentence: Some(("LIST", "Parcels are sorted by `label`.")),
        fault: Fault::Unsorted,
        case: "laws/paging/listParcels",
        check: "order-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_parameter_filters_by_another_property() {
    leads_to_its_test(Row {
        fact: "filter/listParcels/hue",
        entries: &["filter: {subject: {of: listParcels, name: hue}, property: colour}"],
        sentence: None,
        fault: Fault::Grey,
        case: "laws/filters/listParcels",
        check: "filter-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conditional_requirement_is_tested_by_omission() {
    leads_to_its_test(Row {
        fact: "requires/NewParcel/customs/zone=abroad",
        entries: &[
            "requires: {subject: {of: NewParcel, name: customs}, need: present, condition: {name: zone, values: [abroad]}}",
        ],
        sentence: Some(("CUSTOMS", "Required if `zone` is `abroad`.")),
        fault: Fault::Free,
        case: "laws/constraints/createParcel",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_repeated_with_its_key() {
    for (fact, entry) in [
        (
            "idempotency/createParcel/Dedupe-Token",
            &["idempotency: {key: {of: createParcel, name: Dedupe-Token}}"],
        ),
        (
            "idempotency/NewParcel/batch",
            &["idempotency: {key: {of: NewParcel, name: batch}}"],
        ),
        (
            "idempotency/createParcel",
            &["idempotency: {key: {of: createParcel}}"],
        ),
    ] {
        leads_to_its_test(Row {
            fact,
            entries: entry,
            sentence: None,
            fault: Fault::Forgetful,
            case: "laws/repetition/createParcel",
            check: "repeat-made-another",
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_paged_by_its_parameters() {
    leads_to_its_test(Row {
        fact: "paging/listParcels/many",
        entries: &[
            "paging: {subject: {of: listParcels, name: many}, role: size}",
            "paging: {subject: {of: listParcels, name: leaf}, role: page}",
        ],
        sentence: None,
        fault: Fault::Late,
        case: "laws/paging/listParcels",
        check: "page-misses",
    })
    .await;
}
