//! Tests known deviations on the command line: they do not count, wrong entries are reported, and
//! one case can be run again.

use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{binary, raw_server, write};

const THINGS: &str = r#"
openapi: 3.0.3
info: {title: Things, version: "1.0"}
paths:
  /thing:
    get:
      operationId: getThing
      responses:
        "200":
          description: it
          content:
            application/json:
              schema: {type: object, required: [a], properties: {a: {type: string}}}
              example: {a: x}
"#;

/// Answers a number where a text is documented, until `right` is set.
async fn server(right: Arc<AtomicBool>) -> String {
    let address = raw_server(move |_| {
        let body = if right.load(Ordering::Relaxed) {
            r#"{"a":"y"}"#
        } else {
            r#"{"a":1}"#
        };
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length";
        Some(format!("{head}: {}\r\n\r\n{body}", body.len()).into_bytes())
    });
    format!("http://{}", address.await)
}

async fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let (folder, arguments) = (
        folder.to_owned(),
        arguments.iter().map(|argument| (*argument).to_owned()),
    );
    let arguments: Vec<String> = arguments.collect();
    let run = move || -> Output {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        binary(&arguments, &folder)
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_deviations_do_not_count_until_they_no_longer_occur() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "things.yaml", THINGS);
    let right = Arc::new(AtomicBool::new(false));
    let url = server(right.clone()).await;
    let spec = spec.to_str().unwrap();
    let plain = [
        "run",
        "--spec",
        spec,
        "--url",
        &url,
        "--out",
        "out",
        "--snapshots",
        "snapshots",
    ];
    let listed = [&plain[..], &["--deviations", "known.toml"]].concat();
    assert_eq!(run(folder.path(), &plain).await.0, Some(1));
    let (code, printed) = run(folder.path(), &[&listed[..], &["--accept"]].concat()).await;
    assert_eq!(
        code,
        Some(1),
        "what is accepted now counts for the last time: {printed}"
    );
    let file = std::fs::read_to_string(folder.path().join("known.toml")).unwrap();
    assert!(
        file.contains("operation = \"getThing\"\npointer = \"/a\""),
        "{file}"
    );
    let (code, printed) = run(folder.path(), &listed).await;
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.contains("known     accepted on"), "{printed}");
    right.store(true, Ordering::Relaxed);
    let (code, printed) = run(folder.path(), &listed).await;
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("the server no longer differs here"),
        "{printed}"
    );
    std::fs::write(
        folder.path().join("known.toml"),
        file.replace("getThing", "getThings"),
    )
    .unwrap();
    let (code, printed) = run(folder.path(), &listed).await;
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("did you mean `getThing`?"), "{printed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_case_is_run_again_with_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let spec = write(folder.path(), "things.yaml", THINGS);
    let url = server(Arc::default()).await;
    let spec = spec.to_str().unwrap();
    let plain = [
        "run", "--spec", spec, "--url", &url, "--out", "out", "--seed", "7",
    ];
    assert_eq!(run(folder.path(), &plain).await.0, Some(1));
    let again = [
        "replay",
        "getThing/200/example",
        "--from",
        "out/report.json",
        "--",
        "--out",
        "again",
    ];
    let (code, printed) = run(folder.path(), &again).await;
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.contains("1 cases: 0 pass, 0 warn, 1 fail"),
        "{printed}"
    );
    let report = std::fs::read_to_string(folder.path().join("again/report.json")).unwrap();
    assert!(report.contains("\"seed\": 7"), "{report}");
    let (code, printed) = run(
        folder.path(),
        &["replay", "nothing", "--from", "out/report.json"],
    )
    .await;
    assert_eq!(code, Some(2));
    assert!(printed.contains("has no case `nothing`"), "{printed}");
}
