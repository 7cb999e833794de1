//! Support for the tests: functions that run the runner, and servers to run it against.

pub(crate) mod details;
pub(crate) mod fault_ledger;
pub(crate) mod keys;
pub(crate) mod proxy;
pub(crate) mod rules;
pub(crate) mod sandbox;
pub(crate) mod shelf;
pub(crate) mod shop;
pub(crate) mod style;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use conformance::event::CaseReport;
use conformance::judge::Difference;
use conformance::level::{Level, Verdict};
use conformance::options::Options;
use conformance::report::{Record, json};
use conformance::run::{RunError, run};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Whether `EXHAUSTIVE` is set, which tries every row and seed instead of a sample.
pub(crate) fn is_exhaustive() -> bool {
    std::env::var_os("EXHAUSTIVE").is_some()
}

/// The seeds for correct servers: two, or `all` when `EXHAUSTIVE` is set.
pub(crate) fn seeds(all: u64) -> Vec<u64> {
    (1..=if is_exhaustive() { all } else { 2 }).collect()
}

/// How long an answer may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_mins(2);

/// The options of a run with a document against a server.
pub(crate) fn options(spec: &Path, url: &str) -> Options {
    Options {
        laws: false,
        seed: 1,
        name: "test".to_owned(),
        // Runs and servers of a test share one thread, so another run may delay an answer.
        timeout: PATIENCE,
        ..Options::new(spec, url)
    }
}

/// The reviewed behaviour file beside a document. The default name would be read without an option.
const REVIEWED: &str = "reviewed.yaml";

/// The source of a document's meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The document alone.
    Document,
    /// The document with the reviewed behaviour file.
    Owner,
}

impl By {
    /// The options of a run with a document against a server, with the behaviour file for
    /// [`Self::Owner`].
    pub(crate) fn options(self, document: &Path, url: &str) -> Options {
        let mut options = options(document, url);
        if self == Self::Owner {
            options.behaviour = Some(document.with_file_name(REVIEWED));
        }
        options
    }
}

/// Runs the runner. The report must fit its published schema.
pub(crate) async fn certify(options: &Options) -> Result<Record, RunError> {
    let mut record = Record::default();
    run(options, &mut [&mut record]).await?;
    validate(&json::text(&record).unwrap());
    Ok(record)
}

/// Panics when a report does not fit its schema.
pub(crate) fn validate(report: &str) {
    validate_against(json::SCHEMA, report);
}

/// Panics when a text does not fit a schema.
pub(crate) fn validate_against(schema: &str, text: &str) {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let report: Value = serde_json::from_str(text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&report)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Runs the program.
pub(crate) fn binary(arguments: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("INSTA_UPDATE")
        .env("CI", "true")
        .output()
        .unwrap()
}

/// The case with an id.
pub(crate) fn case<'r>(record: &'r Record, id: &str) -> &'r CaseReport {
    let found = record.cases.iter().find(|case| case.id == id);
    found.unwrap_or_else(|| panic!("no case {id} among {:#?}", ids(record)))
}

/// The ids of all cases with their verdicts.
pub(crate) fn ids(record: &Record) -> Vec<String> {
    record
        .cases
        .iter()
        .map(|case| format!("{} {}", case.id, case.verdict.as_str()))
        .collect()
}

/// The checks of all differences of a case.
pub(crate) fn checks(case: &CaseReport) -> Vec<&'static str> {
    case.differences
        .iter()
        .map(|difference| difference.check.id)
        .collect()
}

/// All cases that are not a clean pass.
pub(crate) fn troubles(record: &Record) -> Vec<&CaseReport> {
    // An undocumented status is only a note.
    let is_note = |difference: &Difference| {
        difference.level == Level::May && difference.check.id == "undeclared-status"
    };
    let clean =
        |case: &&CaseReport| case.verdict == Verdict::Pass && case.differences.iter().all(is_note);
    record.cases.iter().filter(|case| !clean(case)).collect()
}

/// Writes a document into a folder.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path
}

/// A server that answers each connection with a function of the request's first line, as raw bytes,
/// and then closes. `None` hangs.
pub(crate) async fn raw_server(
    answer: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> SocketAddr {
    raw_server_of_heads(move |head| answer(head.lines().next().unwrap_or_default())).await
}

/// Like [`raw_server`], with a function of the request's whole head.
pub(crate) async fn raw_server_of_heads(
    answer: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
) -> SocketAddr {
    let answer = Arc::new(answer);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = answer.clone();
            tokio::spawn(async move { serve(stream, &*answer).await });
        }
    });
    address
}

/// The head of the next request, up to the empty line. `None` when the connection ends before it.
pub(crate) async fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|four| four == b"\r\n\r\n") {
        let mut chunk = [0; 4096];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(read) => head.extend_from_slice(&chunk[..read]),
        }
    }
    Some(String::from_utf8_lossy(&head).into_owned())
}

async fn serve(mut stream: TcpStream, answer: impl Fn(&str) -> Option<Vec<u8>>) {
    let Some(head) = read_head(&mut stream).await else {
        return;
    };
    match answer(&head) {
        Some(bytes) => {
            // The runner may have stopped reading.
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        None => std::future::pending().await,
    }
}

/// A complete answer with a JSON body.
pub(crate) fn answer(status: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
