//! Tests that the program deletes the records of a run at its end, and lists those that remain.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::support::{answer, binary, raw_server, validate, write};

const SHELF: &str = r"
openapi: 3.0.3
info: {title: Shelf, version: '1'}
paths:
  /boxes:
    post:
      operationId: createBox
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
  /boxes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getBox
      responses:
        '200': {description: one, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
        '404': {description: none}
    delete: {operationId: deleteBox, responses: {'204': {description: gone}, '404': {description: none}}}
  /notes:
    post:
      operationId: createNote
      responses: {'201': {description: made, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
components:
  schemas:
    Box: {type: object, required: [id], properties: {id: {type: string}}}
";

/// The keys of the boxes on a server.
type Boxes = Arc<Mutex<BTreeSet<String>>>;

/// A server with one box that refuses to delete the box `locked`.
async fn shelf(locked: &'static str) -> (String, Boxes) {
    let boxes: Boxes = Arc::new(Mutex::new(BTreeSet::from(["old".to_owned()])));
    let kept = Arc::clone(&boxes);
    let numbers = AtomicUsize::new(0);
    let server = raw_server(move |line| {
        let request = line.rsplit_once(' ').map_or(line, |(request, _)| request);
        let (method, path) = request.split_once(' ').unwrap();
        let mut boxes = kept.lock().unwrap();
        let key = path.strip_prefix("/boxes/").unwrap_or_default();
        Some(match (method, path) {
            ("POST", _) => {
                let number = numbers.fetch_add(1, Ordering::Relaxed) + 1;
                let id = format!("b{number}");
                let body = format!(r#"{{"id":"{id}"}}"#);
                if path == "/boxes" {
                    boxes.insert(id);
                }
                answer("201 Created", &body)
            }
            _ if !boxes.contains(key) => answer("404 Not Found", ""),
            ("DELETE", _) if key == locked => answer("409 Conflict", ""),
            ("DELETE", _) => {
                boxes.remove(key);
                answer("204 No Content", "")
            }
            _ => answer("200 OK", &format!(r#"{{"id":"{key}"}}"#)),
        })
    })
    .await;
    (format!("http://{server}"), boxes)
}

/// Runs the program with further options. Returns the report and the output.
fn run(folder: &Path, url: &str, more: &[&str]) -> (serde_json::Value, String) {
    write(folder, "shelf.yaml", SHELF);
    let options = ["run", "--spec", "shelf.yaml", "--url", url, "--seed", "7"];
    let output = binary(&[&options, more].concat(), folder);
    let report = std::fs::read_to_string(folder.join("target/certify/report.json")).unwrap();
    validate(&report);
    let printed = String::from_utf8(output.stdout).unwrap();
    (serde_json::from_str(&report).unwrap(), printed)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_deletes_the_records_that_it_created() {
    let folder = tempfile::tempdir().unwrap();
    let (url, boxes) = shelf("").await;
    let (report, printed) = run(folder.path(), &url, &["--report", "html"]);
    let left: Vec<String> = boxes.lock().unwrap().iter().cloned().collect();
    assert_eq!(left, ["old"], "{printed}");
    let cleanup = &report["cleanup"];
    assert!(cleanup["deleted"].as_u64().unwrap() > 0, "{cleanup}");
    // No operation deletes a note.
    let [notes] = &cleanup["left"].as_array().unwrap()[..] else {
        panic!("{cleanup}");
    };
    assert_eq!(notes["operationId"], "createNote");
    let line = format!(
        "left on the server: {} records of createNote",
        notes["count"]
    );
    assert!(printed.contains(&line), "{printed}");
    let page = folder.path().join("target/certify/report.html");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, list) = page
        .split_once("Records that the run left on the server")
        .unwrap();
    assert!(list.contains("<code>createNote</code>"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_the_server_keeps_is_listed_with_its_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (url, boxes) = shelf("b1").await;
    let (_, printed) = run(folder.path(), &url, &["--only", "createBox"]);
    let left: Vec<String> = boxes.lock().unwrap().iter().cloned().collect();
    assert_eq!(left, ["b1", "old"], "{printed}");
    let line = "1 records of createBox (the server answered 409 to its deletion)";
    assert!(printed.contains(line), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn records_are_kept_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let (url, boxes) = shelf("").await;
    let (report, _) = run(folder.path(), &url, &["--keep-records"]);
    assert!(boxes.lock().unwrap().len() > 1);
    assert_eq!(report.get("cleanup"), None);
}
