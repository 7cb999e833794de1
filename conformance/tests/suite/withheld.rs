//! Tests operations that a run does not call: harmful ones, and those that the user excludes. With
//! the program.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::support::{answer, binary, raw_server, validate, write};

const STORE: &str = r"
openapi: 3.0.3
info: {title: Store, version: '1'}
paths:
  /boxes:
    get: {operationId: listBoxes, responses: {'200': {description: all}}}
    delete: {operationId: deleteBoxes, responses: {'204': {description: gone}}}
    post:
      operationId: createBox
      requestBody:
        content:
          application/json:
            schema: {type: object, properties: {name: {type: string}}}
            example: {name: Lamp}
      responses: {'201': {description: made}}
  /auth/logout:
    get: {operationId: endSession, responses: {'200': {description: out}}}
  /tools/reset:
    post: {operationId: resetStore, responses: {'200': {description: empty}}}
  /tools/heartbeat:
    get: {operationId: heartbeat, responses: {'200': {description: alive}}}
  /tools/garbage:
    post:
      operationId: collectGarbage
      x-conformance: {destructive: true}
      responses: {'200': {description: done}}
";

/// The requests to a server, as method and path.
type Calls = Arc<Mutex<Vec<String>>>;

/// A server that accepts everything and records its requests.
async fn noting() -> (String, Calls) {
    let calls = Calls::default();
    let noted = Arc::clone(&calls);
    let server = raw_server(move |line| {
        let request = line.rsplit_once(' ').map_or(line, |(request, _)| request);
        noted.lock().unwrap().push(request.to_owned());
        let status = match line.split(' ').next() {
            Some("POST") if line.contains("/boxes") => "201 Created",
            Some("DELETE") => "204 No Content",
            _ => "200 OK",
        };
        Some(answer(status, ""))
    })
    .await;
    (format!("http://{server}"), calls)
}

/// Runs the program with further options. Returns its exit code and output.
fn run(folder: &Path, url: &str, more: &[&str]) -> (Option<i32>, String) {
    write(folder, "store.yaml", STORE);
    let options = ["run", "--spec", "store.yaml", "--url", url, "--seed", "7"];
    let output = binary(&[&options, more].concat(), folder);
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

/// The requests that harm the store.
const HARMFUL: [&str; 4] = [
    "DELETE /boxes",
    "GET /auth/logout",
    "POST /tools/reset",
    "POST /tools/garbage",
];

fn is_harmful(call: &str) -> bool {
    HARMFUL.contains(&call)
}

#[tokio::test(flavor = "multi_thread")]
async fn harmful_operations_are_named_and_not_called() {
    let folder = tempfile::tempdir().unwrap();
    let (url, calls) = noting().await;
    let (_, printed) = run(folder.path(), &url, &[]);
    let calls = calls.lock().unwrap();
    assert!(calls.iter().any(|call| call == "POST /boxes"), "{calls:?}");
    assert!(!calls.iter().any(|call| is_harmful(call)), "{calls:?}");
    assert!(printed.contains("not called: 4 operations"), "{printed}");
    assert!(printed.contains("--allow-destructive"), "{printed}");
    let report = folder.path().join("target/certify/report.json");
    let report = std::fs::read_to_string(report).unwrap();
    validate(&report);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let withheld = report["run"]["configuration"]["withheld"].as_object();
    let names: Vec<&String> = withheld.unwrap().keys().collect();
    let expected = ["collectGarbage", "deleteBoxes", "endSession", "resetStore"];
    assert_eq!(names, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn allowed_harmful_operations_are_called_last() {
    let folder = tempfile::tempdir().unwrap();
    let (url, calls) = noting().await;
    run(folder.path(), &url, &["--allow-destructive"]);
    let calls = calls.lock().unwrap();
    let first = calls.iter().position(|call| is_harmful(call));
    let last = calls
        .iter()
        .rposition(|call| call == "GET /tools/heartbeat");
    assert!(first > last, "{calls:?}");
    for harmful in HARMFUL {
        assert!(calls.iter().any(|call| call == harmful), "{harmful}");
    }
}

const SHELF: &str = r"
openapi: 3.0.3
info: {title: Shelf, version: '1'}
paths:
  /boxes:
    post:
      operationId: createBox
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}, example: old}]
    get:
      operationId: getBox
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
        '404': {description: none}
    put: {operationId: replaceBox, responses: {'200': {description: replaced}, '404': {description: none}}}
    delete: {operationId: deleteBox, responses: {'204': {description: gone}, '404': {description: none}}}
components:
  schemas:
    Box: {type: object, required: [id], properties: {id: {type: string}}}
";

#[tokio::test(flavor = "multi_thread")]
async fn an_existing_record_is_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "shelf.yaml", SHELF);
    let calls = Calls::default();
    let noted = Arc::clone(&calls);
    let server = raw_server(move |line| {
        let request = line.rsplit_once(' ').map_or(line, |(request, _)| request);
        noted.lock().unwrap().push(request.to_owned());
        let (method, path) = request.split_once(' ').unwrap();
        let is_there = ["/boxes/old", "/boxes/new"].contains(&path);
        Some(match (method, path) {
            ("POST", "/boxes") => answer("201 Created", r#"{"id":"new"}"#),
            _ if !is_there => answer("404 Not Found", ""),
            ("DELETE", _) => answer("204 No Content", ""),
            (_, path) => answer("200 OK", &format!(r#"{{"id":"{}"}}"#, &path[7..])),
        })
    })
    .await;
    let url = format!("http://{server}");
    let found = ["run", "--spec", "shelf.yaml", "--url", &url, "--seed", "7"];
    binary(&found, folder.path());
    let called = std::mem::take(&mut *calls.lock().unwrap());
    let has = |call: &str| called.iter().any(|item| item == call);
    assert!(has("GET /boxes/old"), "{called:?}");
    assert!(
        has("DELETE /boxes/new") && has("PUT /boxes/new"),
        "{called:?}"
    );
    assert!(
        !has("DELETE /boxes/old") && !has("PUT /boxes/old"),
        "{called:?}"
    );

    binary(
        &[&found[..], &["--allow-destructive"]].concat(),
        folder.path(),
    );
    let called = calls.lock().unwrap();
    assert!(called.iter().any(|item| item == "DELETE /boxes/old"));
}

#[tokio::test(flavor = "multi_thread")]
async fn patterns_select_operations() {
    let folder = tempfile::tempdir().unwrap();
    let (url, calls) = noting().await;
    let skip = ["--skip-operation", "*Box", "--skip-path", "/tools/*"];
    run(folder.path(), &url, &skip);
    let is_skipped = |text: &String| text.contains("/tools/") || text == "POST /boxes";
    let called = std::mem::take(&mut *calls.lock().unwrap());
    assert!(called.iter().any(|item| item == "GET /boxes"), "{called:?}");
    assert!(!called.iter().any(is_skipped), "{called:?}");

    run(folder.path(), &url, &["--only", "heart*"]);
    let called = std::mem::take(&mut *calls.lock().unwrap());
    assert!(!called.is_empty());
    assert!(
        called.iter().all(|text| text.contains("/tools/heartbeat")),
        "{called:?}"
    );

    let (code, printed) = run(folder.path(), &url, &["--skip-operation", "lisBoxes"]);
    assert_eq!(code, Some(2));
    assert!(printed.contains("no operation `lisBoxes`"), "{printed}");
    let (code, printed) = run(folder.path(), &url, &["--skip-path", "/nowhere*"]);
    assert_eq!(code, Some(2));
    assert!(printed.contains("/nowhere*"), "{printed}");
}
