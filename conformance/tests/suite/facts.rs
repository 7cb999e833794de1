//! Tests facts: a sentence leads to a finding that quotes it, and the user accepts or rejects the
//! fact.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use axum::extract::{Path as PathPart, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::level::Verdict;
use serde_json::{Value, json};

use crate::support::{binary, case, certify, options, write};

const SPEC: &str = r"
openapi: 3.0.4
info: {title: Parcels, version: '1'}
paths:
  /parcels:
    post:
      operationId: createParcel
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [label], properties: {label: {type: string}}}
            example: {label: a}
      responses:
        '201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
  /parcels/{id}:
    get:
      operationId: getParcel
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '404': {description: none}
  /parcels/{id}/send:
    post:
      operationId: sendParcel
      description: Gives it to the carrier. Only open parcels can be sent.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: sent, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '404': {description: none}
        '409': {description: conflict}
  /parcels/{id}/lose:
    post:
      operationId: loseParcel
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: lost, content: {application/json: {schema: {$ref: '#/components/schemas/Parcel'}}}}
        '404': {description: none}
components:
  schemas:
    Parcel:
      type: object
      required: [id, label, status]
      properties:
        id: {type: string}
        label: {type: string}
        status: {type: string, enum: [open, sent, lost]}
";

/// The id of the fact in the sentence.
const ID: &str = "barred/sendParcel/not-open";

#[derive(Default)]
struct Store {
    parcels: Vec<Value>,
    /// Whether the server also sends lost parcels.
    is_lax: bool,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), StatusCode>;

async fn start(is_lax: bool) -> String {
    let store = Store {
        is_lax,
        ..Store::default()
    };
    let router = Router::new()
        .route("/parcels", get(list).post(create))
        .route("/parcels/{id}", get(read))
        .route("/parcels/{id}/{step}", post(step))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

/// The list. A lax server ignores the filter.
async fn list(State(store): Shared, Query(query): Query<BTreeMap<String, String>>) -> Json<Value> {
    let store = store.lock().unwrap();
    let wanted = query.get("status").filter(|_| !store.is_lax);
    let fits = |parcel: &&Value| wanted.is_none_or(|status| parcel["status"] == status.as_str());
    Json(store.parcels.iter().filter(fits).cloned().collect())
}

async fn create(State(store): Shared, Json(body): Json<Value>) -> Answer {
    let mut store = store.lock().unwrap();
    let id = format!("p{}", store.parcels.len());
    if !body["label"].is_string() {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let parcel = json!({"id": id, "label": body["label"], "status": "open"});
    store.parcels.push(parcel.clone());
    Ok((StatusCode::CREATED, Json(parcel)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let store = store.lock().unwrap();
    let found = store.parcels.iter().find(|parcel| parcel["id"] == id);
    let found = found.ok_or(StatusCode::NOT_FOUND)?;
    Ok((StatusCode::OK, Json(found.clone())))
}

async fn step(State(store): Shared, PathPart((id, step)): PathPart<(String, String)>) -> Answer {
    let mut store = store.lock().unwrap();
    let is_lax = store.is_lax;
    let mut parcels = store.parcels.iter_mut();
    let parcel = parcels.find(|parcel| parcel["id"] == id);
    let parcel = parcel.ok_or(StatusCode::NOT_FOUND)?;
    let is_open = parcel["status"] == "open" || (is_lax && parcel["status"] == "lost");
    match step.as_str() {
        "send" if is_open => parcel["status"] = "sent".into(),
        "send" => return Err(StatusCode::CONFLICT),
        "lose" => parcel["status"] = "lost".into(),
        _ => return Err(StatusCode::NOT_FOUND),
    }
    Ok((StatusCode::OK, Json(parcel.clone())))
}

/// The line of the sentence.
fn line() -> usize {
    let before = SPEC.split_once("Only open parcels").unwrap().0;
    before.matches('\n').count() + 1
}

fn facts(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let all = [&["facts", "--spec", "api.yaml"], arguments].concat();
    let output = binary(&all, folder);
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sentence_leads_to_a_finding_that_quotes_it_and_binds_once_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "api.yaml", SPEC);
    let quote = "Only open parcels can be sent.";
    let run = async |is_lax: bool| {
        let mut options = options(&spec, &start(is_lax).await);
        options.laws = true;
        certify(&options).await.unwrap()
    };
    // A fact that was only read warns.
    let record = run(true).await;
    let found = case(&record, "laws/barred/sendParcel");
    assert_eq!(found.verdict, Verdict::Warn, "{found:#?}");
    let because = &found.differences[0].because;
    assert_eq!(because[0].words, quote);
    assert_eq!(because[0].evidence.as_str(), "read");
    assert!(because[0].spot.file.ends_with("api.yaml") && because[0].spot.line == line());
    // A correct server has no finding.
    let record = run(false).await;
    assert_eq!(
        case(&record, "laws/barred/sendParcel").verdict,
        Verdict::Pass
    );
    // An accepted fact binds, and the finding quotes both sources.
    let accepted = facts(folder.path(), &["accept", ID]);
    assert_eq!(accepted.0, Some(0), "{}", accepted.1);
    let record = run(true).await;
    let found = case(&record, "laws/barred/sendParcel");
    assert_eq!(found.verdict, Verdict::Fail, "{found:#?}");
    let because = &found.differences[0].because;
    let places: Vec<(&str, bool)> = { because.iter() }
        .map(|source| (source.evidence.as_str(), source.words == quote))
        .collect();
    assert_eq!(places, [("stated", false), ("read", true)]);
    assert!(because[0].spot.file.ends_with("behaviour.yaml"));
}

/// A list beside the operation that creates its items.
const LIST: &str = "  /parcels:
    get:
      operationId: listParcels
      parameters:
        - {name: status, in: query, description: Only return parcels with this status., schema: {$ref: '#/components/schemas/Parcel/properties/status'}}
      responses:
        '200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Parcel'}}}}}
    post:";

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_binds_once_it_is_accepted_and_is_not_judged_once_it_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let text = SPEC.replace("  /parcels:\n    post:", LIST);
    let spec = write(folder.path(), "api.yaml", &text);
    let run = async || {
        let mut options = options(&spec, &start(true).await);
        options.laws = true;
        certify(&options).await.unwrap()
    };
    let record = run().await;
    let found = case(&record, "laws/filters/listParcels");
    assert_eq!(found.verdict, Verdict::Warn, "{found:#?}");
    let words = &found.differences[0].because[0].words;
    assert_eq!(words, "Only return parcels with this status.");
    let id = "filter/listParcels/status";
    let (code, text) = facts(folder.path(), &["accept", id]);
    assert_eq!(code, Some(0), "{text}");
    let record = run().await;
    let found = case(&record, "laws/filters/listParcels");
    assert_eq!(found.verdict, Verdict::Fail, "{found:#?}");
    facts(folder.path(), &["reject", id]);
    let record = run().await;
    let found = case(&record, "laws/filters/listParcels");
    assert!(found.differences.is_empty(), "{found:#?}");
}

#[test]
fn drafts_are_written_accepted_rejected_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api.yaml", SPEC);
    let file = folder.path().join("behaviour.yaml");
    let (code, text) = facts(folder.path(), &["--check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains(&format!("api.yaml:{}: new: {ID}", line())),
        "{text}"
    );
    let (code, text) = facts(folder.path(), &["--write"]);
    assert_eq!((code, text.trim()), (Some(0), "1 drafts in behaviour.yaml"));
    let written = fs::read_to_string(&file).unwrap();
    assert!(
        written.contains(&format!(
            "  # api.yaml:{}: Only open parcels can be sent.\n",
            line()
        )),
        "{written}"
    );
    assert!(written.contains("    draft: true\n"), "{written}");
    // The second time there is nothing to add.
    facts(folder.path(), &["--write"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), written);
    let (code, text) = facts(folder.path(), &["--check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("is a draft"), "{text}");
    let (_, text) = facts(folder.path(), &[]);
    assert!(
        text.contains(&format!("{ID} (draft)\n    read: ")),
        "{text}"
    );
    facts(folder.path(), &["reject", ID]);
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .contains("    rejected: true\n")
    );
    let (_, text) = facts(folder.path(), &[]);
    assert!(text.contains("0 facts, 1 rejected"), "{text}");
    facts(folder.path(), &["accept", ID]);
    let accepted = fs::read_to_string(&file).unwrap();
    assert_eq!(accepted, written.replace("    draft: true\n", ""));
    assert_eq!(facts(folder.path(), &["--check"]).0, Some(0));
    // A changed sentence must be reviewed again.
    write(
        folder.path(),
        "api.yaml",
        &SPEC.replace("can be sent.", "may be sent."),
    );
    let (code, text) = facts(folder.path(), &["--check"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains(&format!("the sentence of {ID} has changed")),
        "{text}"
    );
}

#[test]
fn mistakes_in_entries_are_all_reported_with_their_places() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "api.yaml", SPEC);
    let text = "\
behaviour: 2.0.0
facts:
  - barred: {operation: sendParcel, unless: [open]}
  - barred: {operation: sendParcel, unless: [open]}
  - barred: {operation: sendParcels, in: [lost]}
  - barred: {operation: sendParcel, in: [lost], unless: [open]}
  - barred: {operation: loseParcel, in: [sent]}
    rejected: true
  - barred: {operation: sendParcel, in: [drafty]}
  - {summary: nothing}
";
    write(folder.path(), "behaviour.yaml", text);
    let (code, text) = facts(folder.path(), &[]);
    assert_eq!(code, Some(2), "{text}");
    for expected in [
        "the fact `barred/sendParcel/not-open` is listed twice\n --> behaviour.yaml:4:5",
        "the document has no operation `sendParcels`\n --> behaviour.yaml:5:25",
        "did you mean `sendParcel`?",
        "this is not a valid `barred`: `barred` needs either `in` or `unless`\n --> behaviour.yaml:6:13",
        "the document no longer says `barred/loseParcel/sent`\n --> behaviour.yaml:7:5",
        "no record of the document has the state `drafty`\n --> behaviour.yaml:9:42",
        "an entry of `facts` has one kind of fact\n  --> behaviour.yaml:10:5",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let (code, text) = facts(folder.path(), &["--kind", "bared"]);
    assert_eq!(code, Some(2), "{text}");
}
