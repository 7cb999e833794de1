//! Tests requests that fail only while others are in flight, with the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{answer, binary, raw_server, write};

const SHELF: &str = r"
openapi: 3.0.3
info: {title: Shelf, version: '1'}
paths:
  /boxes: {get: {operationId: listBoxes, responses: {'200': {description: all}}}}
  /lids: {get: {operationId: listLids, responses: {'200': {description: all}}}}
  /notes: {get: {operationId: listNotes, responses: {'200': {description: all}}}}
  /tags: {get: {operationId: listTags, responses: {'200': {description: all}}}}
";

/// The time for which the server works on a request.
const WORK: Duration = Duration::from_millis(5);

/// A server that serves one request at a time, and answers 503 to others.
async fn busy() -> String {
    let running = Arc::new(AtomicUsize::new(0));
    let server = raw_server(move |_| {
        let before = running.fetch_add(1, Ordering::SeqCst);
        if before == 0 {
            std::thread::sleep(WORK);
        }
        running.fetch_sub(1, Ordering::SeqCst);
        Some(match before {
            0 => answer("200 OK", ""),
            _ => answer("503 Service Unavailable", ""),
        })
    })
    .await;
    format!("http://{server}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 8)]
async fn failures_beside_others_are_repeated_alone_and_named() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "shelf.yaml", SHELF);
    let url = busy().await;
    let item = ["run", "--spec", "shelf.yaml", "--url", &url, "--seed", "7"];
    let line = "failed once and not when repeated alone: ";
    let output = binary(&item, folder.path());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.contains(line), "{printed}");

    let output = binary(&[&item[..], &["--parallel", "1"]].concat(), folder.path());
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(!printed.contains(line), "{printed}");
}
