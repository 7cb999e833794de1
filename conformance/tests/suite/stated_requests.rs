//! Tests entries of `facts` about requests and times: each leads to a test, and its finding quotes
//! the entry. A sentence leads to the same test, which only warns.

use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::extract::{Path as PathPart, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::judge::Difference;
use conformance::level::Verdict;
use conformance::report::Record;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use crate::support::{case, certify, ids, options, write};

/// A document; the words in capitals are placeholders for sentences.
const SPEC: &str = r"
openapi: 3.0.4
info: {title: Visits, version: '1'}
paths:
  /visits:
    get:
      operationId: listVisits
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Visit'}}}}}
    post:
      operationId: createVisit
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewVisit'}
            example: {guests: 3, note: Ring twice, tags: [quiet], startsAt: '2026-03-01T10:00:00Z', endsAt: '2026-03-01T12:00:00Z', bookedOn: '2026-02-01', ward: north, code: plain}
      responses:
        '201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}}
        '422': {description: refused}
  /visits/{id}:
    get:
      operationId: getVisit
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}}
        '404': {description: none}
  /visits/{id}/close:
    post:
      operationId: closeVisit
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: done, content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}}
        '404': {description: none}
components:
  schemas:
    NewVisit:
      type: object
      required: [guests]
      properties:
        guests: {type: integer, description: GUESTS}
        note: {type: string, description: NOTE}
        tags: {type: array, items: {type: string}, description: TAGS}
        startsAt: {type: string, format: date-time}
        endsAt: {type: string, format: date-time, description: ENDS}
        bookedOn: {type: string, format: date}
        ward: {type: string}
        code: {type: string}
    Ward:
      type: object
      properties: {name: {type: string}}
    Visit:
      type: object
      required: [id, guests, state]
      properties:
        id: {type: string}
        guests: {type: integer}
        note: {type: string}
        tags: {type: array, items: {type: string}}
        startsAt: {type: string, format: date-time}
        endsAt: {type: string, format: date-time}
        bookedOn: {type: string, format: date}
        ward: {type: string}
        state: {type: string, enum: [open, closed]}
        createdAt: {type: string, format: date-time}
        dueAt: {type: string, format: date-time}
";

/// The placeholders for sentences.
const PLACES: [&str; 4] = ["GUESTS", "NOTE", "TAGS", "ENDS"];

/// The header that identifies the caller.
const CALLER: &str = "caller";

struct Store {
    /// The fact that holds; rules without an entry would get in the way of the others.
    fact: &'static str,
    /// Whether the server breaks the fact.
    is_faulty: bool,
    visits: Vec<Value>,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), StatusCode>;

async fn start(fact: &'static str, is_faulty: bool) -> String {
    let visits = Vec::new();
    let store = Store {
        fact,
        is_faulty,
        visits,
    };
    let router = Router::new()
        .route("/visits", get(list).post(create))
        .route("/visits/{id}", get(read))
        .route("/visits/{id}/close", post(close))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

async fn list(State(store): Shared) -> Answer {
    let store = store.lock().unwrap();
    let omits = store.fact.starts_with("list-omits") && !store.is_faulty;
    let all = store
        .visits
        .iter()
        .filter(|visit| !omits || visit["state"] != "closed");
    Ok((StatusCode::OK, Json(all.cloned().collect())))
}

fn is_valid(body: &Value) -> bool {
    let texts = ["note", "startsAt", "endsAt", "bookedOn", "ward", "code"];
    let mut texts = texts.iter().filter_map(|name| body.get(name));
    let is_list = |value: &Value| {
        value
            .as_array()
            .is_some_and(|item| item.iter().all(Value::is_string))
    };
    let is_time = |name: &str| {
        let found = body.get(name).and_then(Value::as_str);
        found.is_none_or(|item| item.parse::<Timestamp>().is_ok())
    };
    let day = body.get("bookedOn").and_then(Value::as_str);
    body["guests"].is_i64()
        && texts.all(Value::is_string)
        && body.get("tags").is_none_or(is_list)
        && is_time("startsAt")
        && is_time("endsAt")
        && day.is_none_or(|day| day.parse::<jiff::civil::Date>().is_ok())
}

/// Whether a body follows a rule.
fn keeps(fact: &str, body: &Value) -> bool {
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    match fact {
        "range/NewVisit/guests" => (1..=8).contains(&body["guests"].as_i64().unwrap()),
        "range/NewVisit/note/length" => text("note").chars().count() <= 20,
        "range/NewVisit/tags/items" => body["tags"].as_array().is_none_or(|body| body.len() <= 3),
        "range/NewVisit/bookedOn" => text("bookedOn") <= Timestamp::now().to_string(),
        "relation/NewVisit/endsAt/startsAt" => {
            let is_there = body.get("endsAt").is_some() && body.get("startsAt").is_some();
            !is_there || text("endsAt") > text("startsAt")
        }
        "reference/NewVisit/ward" => ["", "north", "south"].contains(&&*text("ward")),
        "magic-value/NewVisit/code/test-refused" => text("code") != "test-refused",
        _ => true,
    }
}

async fn create(State(store): Shared, body: Bytes) -> Answer {
    let mut store = store.lock().unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    if !is_valid(&body) || !(store.is_faulty || keeps(store.fact, &body)) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let is_closed = store.fact == "magic-value/NewVisit/code/test-closed" && !store.is_faulty;
    let is_closed = is_closed && body["code"] == "test-closed";
    let state = if is_closed { "closed" } else { "open" };
    let now = Timestamp::now();
    let id = format!("v{}", store.visits.len());
    let mut visit = json!({"id": id, "state": state, "createdAt": now.to_string()});
    if store.fact.starts_with("timing") {
        let days = if store.is_faulty { 13 } else { 14 };
        visit["dueAt"] = (now + SignedDuration::from_hours(24 * days))
            .to_string()
            .into();
    }
    for name in [
        "guests", "note", "tags", "startsAt", "endsAt", "bookedOn", "ward",
    ] {
        if let Some(value) = body.get(name) {
            visit[name] = value.clone();
        }
    }
    store.visits.push(visit.clone());
    Ok((StatusCode::CREATED, Json(visit)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>, headers: HeaderMap) -> Answer {
    let store = store.lock().unwrap();
    let is_foreign = headers.get(CALLER).is_some_and(|item| item == "other");
    let is_owned = store.fact.starts_with("access") && !store.is_faulty;
    let found = store.visits.iter().find(|visit| visit["id"] == id);
    let found = found
        .filter(|_| !(is_foreign && is_owned))
        .ok_or(StatusCode::NOT_FOUND)?;
    Ok((StatusCode::OK, Json(found.clone())))
}

async fn close(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let mut store = store.lock().unwrap();
    let mut visits = store.visits.iter_mut();
    let visit = visits
        .find(|visit| visit["id"] == id)
        .ok_or(StatusCode::NOT_FOUND)?;
    visit["state"] = "closed".into();
    Ok((StatusCode::OK, Json(visit.clone())))
}

/// A fact, and the case that tests it.
struct Row {
    fact: &'static str,
    /// The entry of the behaviour file.
    entry: &'static str,
    /// The placeholder and the sentence that states the same fact.
    sentence: Option<(&'static str, &'static str)>,
    case: &'static str,
    check: &'static str,
}

/// Runs the laws on a server.
async fn run(
    folder: &Path,
    row: &Row,
    (is_stated, is_written): (bool, bool),
    is_faulty: bool,
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
        format!("facts:\n  - {}\n", row.entry)
    } else {
        String::new()
    };
    write(
        folder,
        "behaviour.yaml",
        &format!("behaviour: 2.0.0\n{facts}"),
    );
    let mut options = options(&spec, &start(row.fact, is_faulty).await);
    options.laws = true;
    options.neighbour = vec![(CALLER.to_owned(), "other".to_owned())];
    certify(&options).await.unwrap()
}

fn found<'r>(record: &'r Record, row: &Row) -> Option<&'r Difference> {
    let tried = record.cases.iter().find(|case| case.id == row.case)?;
    tried
        .differences
        .iter()
        .find(|difference| difference.check.id == row.check)
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
        let record = run(folder, &row, source, false).await;
        let mut cases = record.cases.iter();
        let wrong = cases.find(|case| !case.differences.is_empty());
        assert!(wrong.is_none(), "{source:?} {wrong:#?}");
        let tried = case(&record, row.case);
        assert_eq!(tried.verdict, Verdict::Pass, "{tried:#?}");
    }
    let record = run(folder, &row, (false, false), true).await;
    let known = found(&record, &row);
    assert!(known.is_none(), "{known:#?}");
    let record = run(folder, &row, (true, false), true).await;
    let difference = found(&record, &row);
    let difference = difference.unwrap_or_else(|| panic!("{:#?}", ids(&record)));
    assert_eq!(case(&record, row.case).verdict, Verdict::Fail);
    let mut because = difference.because.iter();
    let is_entry = |item: &&conformance::because::Because| {
        item.spot.file.ends_with("behaviour.yaml") && item.spot.line == 3
    };
    let quoted = because.find(is_entry);
    let words = quoted.map(|quoted| quoted.words.as_str());
    assert_eq!(words, Some(&*format!("- {}", row.entry)), "{difference:#?}");
    let Some((_, sentence)) = row.sentence else {
        return;
    };
    let record = run(folder, &row, (false, true), true).await;
    let difference = found(&record, &row);
    let difference = difference.unwrap_or_else(|| panic!("{:#?}", ids(&record)));
    assert_eq!(case(&record, row.case).verdict, Verdict::Warn);
    let mut because = difference.because.iter();
    assert!(
        because.any(|item| item.words == sentence),
        "{difference:#?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_number_keeps_to_its_range() {
    leads_to_its_test(Row {
        fact: "range/NewVisit/guests",
        entry: "range: {subject: {of: NewVisit, name: guests}, least: '1', most: '8'}",
        sentence: Some(("GUESTS", "Must be between 1 and 8.")),
        case: "laws/constraints/createVisit",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_keeps_to_its_length() {
    leads_to_its_test(Row {
        fact: "range/NewVisit/note/length",
        entry: "range: {subject: {of: NewVisit, name: note}, measure: length, most: '20'}",
        sentence: Some(("NOTE", "Must be at most 20 characters long.")),
        case: "laws/constraints/createVisit",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_keeps_to_its_number_of_items() {
    leads_to_its_test(Row {
        fact: "range/NewVisit/tags/items",
        entry: "range: {subject: {of: NewVisit, name: tags}, measure: items, most: '3'}",
        sentence: None,
        case: "laws/constraints/createVisit",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_keeps_to_its_distance_from_now() {
    leads_to_its_test(Row {
        fact: "range/NewVisit/bookedOn",
        entry: "range: {subject: {of: NewVisit, name: bookedOn}, most: PT0S}",
        sentence: None,
        case: "laws/constraints/createVisit",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_follows_another_one() {
    leads_to_its_test(Row {
        fact: "relation/NewVisit/endsAt/startsAt",
        entry: "relation: {subject: {of: NewVisit, name: endsAt}, is: after, other: startsAt}",
        sentence: Some(("ENDS", "Must be greater than `startsAt`.")),
        case: "laws/constraints/createVisit",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_names_an_existing_record() {
    leads_to_its_test(Row {
        fact: "reference/NewVisit/ward",
        entry: "reference: {subject: {of: NewVisit, name: ward}, to: Ward}",
        sentence: None,
        case: "laws/references/createVisit",
        check: "unknown-key-found",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_its_owner_reads_a_record() {
    leads_to_its_test(Row {
        fact: "access/getVisit/owner",
        entry: "access: {operation: getVisit, only: owner, status: 404}",
        sentence: None,
        case: "laws/tenants/getVisit",
        check: "foreign-parent-found",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_omits_finished_records() {
    leads_to_its_test(Row {
        fact: "list-omits/listVisits/state=closed",
        entry: "list-omits: {subject: {of: listVisits}, omits: {name: state, values: [closed]}}",
        sentence: None,
        case: "laws/listing/listVisits",
        check: "filter-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_has_a_distance_from_the_creation() {
    leads_to_its_test(Row {
        fact: "timing/Visit/dueAt",
        entry: "timing: {subject: {of: Visit, name: dueAt}, by: P14D}",
        sentence: None,
        case: "laws/terms/createVisit",
        check: "time-astray",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_value_has_its_outcome() {
    leads_to_its_test(Row {
        fact: "magic-value/NewVisit/code/test-refused",
        entry: "magic-value: {subject: {of: NewVisit, name: code}, value: test-refused, status: 422}",
        sentence: None,
        case: "laws/effects/createVisit",
        check: "status-code",
    })
    .await;
    leads_to_its_test(Row {
        fact: "magic-value/NewVisit/code/test-closed",
        entry: "magic-value: {subject: {of: NewVisit, name: code}, value: test-closed, sets: {name: state, value: closed}}",
        sentence: None,
        case: "laws/effects/createVisit",
        check: "final-value",
    })
    .await;
}
