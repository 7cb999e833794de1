//! Tests the contract within the program: the program alone can certify a server.

use std::path::{Path, PathBuf};

use crate::support::{answer, binary, raw_server};
use serde_json::Value;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml")
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

async fn closed_port() -> String {
    let server = raw_server(|_| Some(answer("404 Not Found", "{}"))).await;
    format!("http://{server}")
}

/// Runs the program in a new folder. Returns its exit code and the folder.
fn run(url: &str, more: &[&str]) -> (Option<i32>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let item = [
        "run",
        "--server",
        url,
        "--area",
        "payment-methods",
        "--without-laws",
        "--out",
        "out",
    ];
    let output = binary(&[&item, more].concat(), folder.path());
    (output.status.code(), folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_a_document_uses_the_built_in_one() {
    let url = closed_port().await;
    let (code, folder) = run(&url, &["--profile", "complete"]);
    assert_eq!(code, Some(1));
    let report = json(&folder.path().join("out/report.json"));
    assert_eq!(report["run"]["spec"], "built-in");
    let cases = report["cases"].as_array().unwrap();
    let differences = cases
        .iter()
        .filter_map(|case| case["differences"].as_array());
    let place = &differences.flatten().next().unwrap()["spec"];
    let line = place["file"].as_str().unwrap();
    assert!(line.starts_with("spec/paths/"), "{line}");
    let id = cases[0]["id"].as_str().unwrap();
    let again = binary(
        &[
            "replay",
            id,
            "--from",
            "out/report.json",
            "--",
            "--without-laws",
        ],
        folder.path(),
    );
    let printed = String::from_utf8(again.stdout).unwrap();
    assert!(
        printed.contains("(built-in)") && printed.contains(id),
        "{printed}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_built_in_contract_equals_the_files_byte_for_byte() {
    let url = closed_port().await;
    let (_, within) = run(&url, &[]);
    let (_, beside) = run(&url, &["--spec", source().to_str().unwrap()]);
    let contract = |folder: &Path| json(&folder.join("out/certificate.json"))["contract"].clone();
    let within = contract(within.path());
    assert_eq!(within, contract(beside.path()));
    for file in [
        "openapi.yaml",
        "behaviour.yaml",
        "scenarios/races.arazzo.yaml",
    ] {
        let text = std::fs::read_to_string(source().with_file_name(file)).unwrap();
        let hash = conformance::contract::identity::sha256(&text);
        assert_eq!(within["files"][file], hash, "{file}");
    }
}

#[test]
fn the_contract_can_be_written_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(&["contract", "theirs"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = |file: PathBuf| std::fs::read_to_string(file).unwrap();
    let written = folder.path().join("theirs/spec/paths/transactions.yaml");
    assert_eq!(
        read(written),
        read(source().with_file_name("paths/transactions.yaml"))
    );
    let again = binary(&["contract", "theirs"], folder.path());
    assert_eq!(
        again.status.code(),
        Some(3),
        "an existing file is never overwritten"
    );
}

#[test]
fn a_run_without_a_server_explains_how_to_name_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(&["run"], folder.path());
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        message.contains("--server") && message.contains("`url`"),
        "{message}"
    );
}
