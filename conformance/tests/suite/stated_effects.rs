//! Tests entries of `facts` about the effects of operations: each leads to a test, and its finding
//! quotes the entry.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::{Path as PathPart, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use conformance::event::TestedFact;
use conformance::level::Verdict;
use conformance::report::{Record, html, json as report_json};
use serde_json::{Value, json};

use crate::support::{binary, case, certify, ids, options, write};

const SPEC: &str = r"
openapi: 3.0.4
info: {title: Boards, version: '1'}
paths:
  /boards:
    post:
      operationId: createBoard
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewBoard'}
            example: {title: Spring, tint: red}
      responses:
        '201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}
        '422': {description: refused}
  /boards/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getBoard
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}
        '404': {description: none}
    patch:
      operationId: patchBoard
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/BoardChange'}
            example: {title: Summer}
      responses:
        '200': {description: done, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}
        '404': {description: none}
        '422': {description: refused}
    delete:
      operationId: removeBoard
      responses:
        '204': {description: done}
        '404': {description: none}
        '409': {description: refused}
  /boards/{id}/close:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: closeBoard
      responses:
        '200': {description: done, content: {application/json: {schema: {$ref: '#/components/schemas/Board'}}}}
        '404': {description: none}
  /boards/{id}/cards:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: listCards
      responses:
        '200': {description: all, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Card'}}}}}
        '404': {description: none}
    post:
      operationId: addCard
      requestBody:
        required: true
        content:
          application/json:
            schema: {$ref: '#/components/schemas/NewCard'}
            example: {label: Cherry}
      responses:
        '201': {description: created, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}
        '404': {description: none}
        '409': {description: refused, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
        '422': {description: refused}
  /cards/{cardId}:
    parameters: [{name: cardId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getCard
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Card'}}}}
        '404': {description: none}
components:
  schemas:
    NewBoard:
      type: object
      required: [title]
      properties: {title: {type: string}, tint: {type: string, enum: [red, blue]}}
    BoardChange:
      type: object
      properties: {title: {type: string}, tint: {type: string, enum: [red, blue]}}
    Board:
      type: object
      required: [id, title, tint, status]
      properties:
        id: {type: string}
        title: {type: string}
        tint: {type: string, enum: [red, blue]}
        status: {type: string, enum: [open, pending, shut]}
    NewCard: {type: object, required: [label], properties: {label: {type: string}}}
    Card:
      type: object
      required: [id, boardId, label, mood]
      properties:
        id: {type: string}
        boardId: {type: string}
        label: {type: string}
        mood: {type: string, enum: [fine, gone]}
    Problem: {type: object, required: [code], properties: {code: {type: string}}}
";

/// The server for one fact; rules without an entry would get in the way of the others.
struct Store {
    /// The rule that holds.
    rule: &'static str,
    is_faulty: bool,
    /// The number of records that were ever created.
    created: usize,
    boards: Vec<Value>,
    cards: Vec<Value>,
    /// The time when each board was closed.
    closed: Vec<(Value, Instant)>,
}

type Shared = State<Arc<Mutex<Store>>>;
type Answer = Result<(StatusCode, Json<Value>), (StatusCode, Json<Value>)>;

impl Store {
    /// A key that no record had.
    fn key(&mut self, kind: &str) -> String {
        self.created += 1;
        format!("{kind}{}", self.created)
    }

    /// Whether a rule holds and the server follows it.
    fn keeps(&self, rule: &str) -> bool {
        self.rule == rule && !self.is_faulty
    }

    fn board(&mut self, id: &str) -> Result<&mut Value, (StatusCode, Json<Value>)> {
        let is_over = self.rule == "async" && !self.is_faulty;
        for (id, since) in &self.closed {
            let board = self.boards.iter_mut().find(|board| board["id"] == *id);
            let is_over = is_over && since.elapsed() > Duration::from_millis(400);
            if let Some(board) = board.filter(|_| is_over) {
                board["status"] = "shut".into();
            }
        }
        let mut boards = self.boards.iter_mut();
        boards
            .find(|board| board["id"] == id)
            .ok_or(refusal(404, "absent"))
    }
}

fn refusal(status: u16, code: &str) -> (StatusCode, Json<Value>) {
    (
        StatusCode::from_u16(status).unwrap(),
        Json(json!({"code": code})),
    )
}

async fn start(rule: &'static str, is_faulty: bool) -> String {
    let store = Store {
        rule,
        is_faulty,
        created: 0,
        boards: Vec::new(),
        cards: Vec::new(),
        closed: Vec::new(),
    };
    let router = Router::new()
        .route("/boards", post(create))
        .route("/boards/{id}", get(read).patch(patch).delete(remove))
        .route("/boards/{id}/close", post(close))
        .route("/boards/{id}/cards", get(list).post(add))
        .route("/cards/{id}", get(read_card))
        .with_state(Arc::new(Mutex::new(store)));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

fn valid(body: &Bytes, required: &str) -> Result<Value, (StatusCode, Json<Value>)> {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let is_text = |name: &str| body.get(name).is_none_or(Value::is_string);
    let tint = body
        .get("tint")
        .is_none_or(|tint| tint == "red" || tint == "blue");
    let is_there = required.is_empty() || body.get(required).is_some();
    let is_valid = body.is_object() && is_there && tint && is_text("title") && is_text("label");
    is_valid.then_some(body).ok_or(refusal(422, "invalid"))
}

async fn create(State(store): Shared, body: Bytes) -> Answer {
    let mut store = store.lock().unwrap();
    let body = valid(&body, "title")?;
    let id = store.key("board");
    let tint = body.get("tint").cloned().unwrap_or("red".into());
    let board = json!({"id": id, "title": body["title"], "tint": tint, "status": "open"});
    store.boards.push(board.clone());
    Ok((StatusCode::CREATED, Json(board)))
}

async fn read(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let mut store = store.lock().unwrap();
    let board = store.board(&id)?.clone();
    Ok((StatusCode::OK, Json(board)))
}

async fn patch(State(store): Shared, PathPart(id): PathPart<String>, body: Bytes) -> Answer {
    let mut store = store.lock().unwrap();
    let body = valid(&body, "")?;
    let is_fixed = store.keeps("immutable");
    let board = store.board(&id)?;
    let tint = body.get("tint").cloned().unwrap_or(board["tint"].clone());
    if is_fixed && tint != board["tint"] {
        return Err(refusal(422, "fixed"));
    }
    board["tint"] = tint;
    if let Some(title) = body.get("title") {
        board["title"] = title.clone();
    }
    Ok((StatusCode::OK, Json(board.clone())))
}

async fn remove(
    State(store): Shared,
    PathPart(id): PathPart<String>,
) -> Result<StatusCode, (StatusCode, Json<Value>)> {
    let mut store = store.lock().unwrap();
    store.board(&id)?;
    let has_card = store
        .cards
        .iter()
        .any(|card| card["boardId"] == id.as_str());
    if store.keeps("refused") && has_card {
        return Err(refusal(409, "used"));
    }
    if store.keeps("deleted") || (store.rule == "kept" && store.is_faulty) {
        store.cards.retain(|card| card["boardId"] != id.as_str());
    }
    store.boards.retain(|board| board["id"] != id.as_str());
    Ok(StatusCode::NO_CONTENT)
}

async fn close(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let mut store = store.lock().unwrap();
    let status = if store.rule == "async" {
        "pending"
    } else {
        "shut"
    };
    let board = store.board(&id)?;
    board["status"] = status.into();
    let board = board.clone();
    store.closed.push((board["id"].clone(), Instant::now()));
    if store.keeps("sets") {
        for card in store
            .cards
            .iter_mut()
            .filter(|card| card["boardId"] == id.as_str())
        {
            card["mood"] = "gone".into();
        }
    }
    if store.keeps("creates") {
        let name = store.key("card");
        let card = json!({"id": name, "boardId": id, "label": "last", "mood": "fine"});
        store.cards.push(card);
    }
    Ok((StatusCode::OK, Json(board)))
}

async fn list(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let mut store = store.lock().unwrap();
    store.board(&id)?;
    let cards = store
        .cards
        .iter()
        .filter(|card| card["boardId"] == id.as_str());
    Ok((StatusCode::OK, Json(cards.cloned().collect())))
}

async fn add(State(store): Shared, PathPart(id): PathPart<String>, body: Bytes) -> Answer {
    let mut store = store.lock().unwrap();
    let body = valid(&body, "label")?;
    let code = if store.is_faulty {
        "sorry"
    } else {
        "board_shut"
    };
    let (rule, is_faulty) = (store.rule, store.is_faulty);
    let board = store.board(&id)?;
    if rule == "refusal" && board["status"] == "shut" {
        return Err(refusal(409, code));
    }
    if rule == "no-effect" && is_faulty {
        board["tint"] = "blue".into();
    }
    let name = store.key("card");
    let card = json!({"id": name, "boardId": id, "label": body["label"], "mood": "fine"});
    store.cards.push(card.clone());
    Ok((StatusCode::CREATED, Json(card)))
}

async fn read_card(State(store): Shared, PathPart(id): PathPart<String>) -> Answer {
    let store = store.lock().unwrap();
    let card = store.cards.iter().find(|card| card["id"] == id.as_str());
    let card = card.ok_or(refusal(404, "absent"))?;
    Ok((StatusCode::OK, Json(card.clone())))
}

/// A fact, and a server that breaks it.
struct Row {
    /// The id of the fact.
    fact: &'static str,
    /// The rule that the server follows or breaks.
    rule: &'static str,
    /// The entries of the behaviour file; findings quote the first one.
    entries: &'static [&'static str],
    case: &'static str,
    check: &'static str,
}

/// Runs the laws on a server.
async fn run(folder: &Path, row: &Row, (is_stated, is_faulty): (bool, bool)) -> Record {
    let spec = write(folder, "api.yaml", SPEC);
    let facts = if is_stated {
        format!("facts:\n  - {}\n", row.entries.join("\n  - "))
    } else {
        String::new()
    };
    write(
        folder,
        "behaviour.yaml",
        &format!("behaviour: 2.0.0\n{facts}"),
    );
    let mut options = options(&spec, &start(row.rule, is_faulty).await);
    options.laws = true;
    certify(&options).await.unwrap()
}

/// Without the fact there is no finding. When it is stated, the case fails and quotes the entry. A
/// correct server has no finding.
async fn leads_to_its_test(row: Row) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let record = run(folder, &row, (true, false)).await;
    let found: Vec<_> = { record.cases.iter() }
        .filter(|case| !case.differences.is_empty())
        .collect();
    assert!(found.is_empty(), "{}: {found:#?}", row.fact);
    let tried = case(&record, row.case);
    assert_eq!(tried.verdict, Verdict::Pass, "{tried:#?}");
    let tested = TestedFact {
        fact: row.fact.to_owned(),
        untested: None,
    };
    assert!(tried.facts.contains(&tested), "{:#?}", tried.facts);
    let is_it = |difference: &&conformance::judge::Difference| difference.check.id == row.check;
    let record = run(folder, &row, (false, true)).await;
    let tried = record.cases.iter().find(|case| case.id == row.case);
    let known = tried.and_then(|tried| tried.differences.iter().find(is_it));
    assert!(known.is_none(), "{known:#?}");
    let record = run(folder, &row, (true, true)).await;
    let tried = case(&record, row.case);
    let difference = tried.differences.iter().find(is_it);
    let difference = difference.unwrap_or_else(|| panic!("{tried:#?} {:#?}", ids(&record)));
    assert_eq!(tried.verdict, Verdict::Fail, "{tried:#?}");
    let mut because = difference.because.iter();
    let quoted = because.find(|item| item.spot.file.ends_with("behaviour.yaml"));
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
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_fixed_property_is_sent() {
    leads_to_its_test(Row {
        fact: "immutable/Board/tint",
        rule: "immutable",
        entries: &["immutable: {subject: {of: Board, name: tint}, status: 422}"],
        case: "laws/merge/patchBoard",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_in_a_fixed_state_is_sent() {
    leads_to_its_test(Row {
        fact: "immutable/Board/tint/shut",
        rule: "immutable",
        entries: &["immutable: {subject: {of: Board, name: tint}, after: [shut]}"],
        case: "laws/merge/patchBoard",
        check: "constraint-ignored",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_with_children_is_deleted() {
    for (rule, entry, check, case) in [
        (
            "deleted",
            &["on-delete: {operation: removeBoard, children: Card, then: deleted}"],
            "deleted-found",
            "laws/deletion/removeBoard",
        ),
        (
            "kept",
            &["on-delete: {operation: removeBoard, children: Card, then: kept}"],
            "others-changed",
            "laws/deletion/removeBoard",
        ),
        (
            "refused",
            &["on-delete: {operation: removeBoard, children: Card, then: refused, status: 409}"],
            "transition-forbidden",
            "laws/barred/removeBoard",
        ),
    ] {
        leads_to_its_test(Row {
            fact: "on-delete/removeBoard/Card",
            rule,
            entries: entry,
            case,
            check,
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_changes_another_record() {
    leads_to_its_test(Row {
        fact: "side-effect/closeBoard/Card/mood",
        rule: "sets",
        entries: &[
            "side-effect: {operation: closeBoard, on: Card, sets: {name: mood, value: gone}}",
        ],
        case: "laws/effects/closeBoard",
        check: "effect-differs",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_creates_another_record() {
    leads_to_its_test(Row {
        fact: "side-effect/closeBoard/Card",
        rule: "creates",
        entries: &["side-effect: {operation: closeBoard, creates: Card}"],
        case: "laws/effects/closeBoard",
        check: "effect-differs",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operation_does_not_change_another_record() {
    leads_to_its_test(Row {
        fact: "no-effect/addCard/Board/tint",
        rule: "no-effect",
        entries: &["no-effect: {operation: addCard, keeps: {of: Board, name: tint}}"],
        case: "laws/isolation/addCard",
        check: "others-changed",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_changes_its_state_without_a_request() {
    leads_to_its_test(Row {
        fact: "async/closeBoard/status",
        rule: "async",
        entries: &[
            "async: {operation: closeBoard, property: status, reaches: [shut], within: PT2S}",
        ],
        case: "laws/histories/closeBoard",
        check: "until-deadline",
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_carries_its_code() {
    leads_to_its_test(Row {
        fact: "refusal/addCard/409/board_shut",
        rule: "refusal",
        entries: &[
            "refusal: {operation: addCard, status: 409, property: code, values: [board_shut]}",
            "barred: {operation: addCard, in: [shut], status: 409}",
        ],
        case: "laws/answers/addCard",
        check: "final-value",
    })
    .await;
}

/// A stated fact that the run could not test is a skip with its reason, listed by every report.
#[tokio::test(flavor = "multi_thread")]
async fn a_stated_fact_that_no_case_tests_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let row = Row {
        fact: "",
        rule: "sets",
        entries: &[
            "side-effect: {operation: closeBoard, creates: Problem}",
            "default: {subject: {of: patchBoard, name: title}, value: Text}",
        ],
        case: "",
        check: "",
    };
    let record = run(folder.path(), &row, (true, false)).await;
    let expected = [
        ("laws/effects/closeBoard", "no operation lists each Problem"),
        (
            "facts/default/patchBoard/title",
            "no trial of `default` applies to it",
        ),
    ];
    for (id, reason) in expected {
        let skipped = case(&record, id);
        let outcome = (skipped.verdict, skipped.reason.as_deref());
        assert_eq!(outcome, (Verdict::Skip, Some(reason)), "{skipped:#?}");
    }
    let report: Value = serde_json::from_str(&report_json::text(&record).unwrap()).unwrap();
    assert_eq!(
        report["untested"],
        json!({
            "side-effect/closeBoard/Problem": {
                "case": "laws/effects/closeBoard",
                "reason": "no operation lists each Problem",
            },
            "default/patchBoard/title": {
                "case": "facts/default/patchBoard/title",
                "reason": "no trial of `default` applies to it",
            },
        })
    );
    let page = html::text(&record).unwrap();
    assert!(page.contains("Stated facts that were not tested"), "{page}");
}
