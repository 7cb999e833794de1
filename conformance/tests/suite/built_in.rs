//! The contract that the program has with it: one file is enough to certify with.

use std::path::{Path, PathBuf};

use crate::support::{answer, binary, raw_server};
use serde_json::Value;

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml")
}

fn json(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

async fn nothing_there() -> String {
    let server = raw_server(|_| Some(answer("404 Not Found", "{}"))).await;
    format!("http://{server}")
}

/// A run in a folder of its own; its exit code, and what is written there.
fn run(url: &str, more: &[&str]) -> (Option<i32>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let own = [
        "run",
        "--server",
        url,
        "--area",
        "payment-methods",
        "--without-laws",
        "--out",
        "out",
    ];
    let output = binary(&[&own, more].concat(), folder.path());
    (output.status.code(), folder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_without_a_document_takes_the_one_within() {
    let url = nothing_there().await;
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
    let said = String::from_utf8(again.stdout).unwrap();
    assert!(said.contains("(built-in)") && said.contains(id), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_the_same_contract_to_the_byte_with_scenarios_and_behaviour() {
    let url = nothing_there().await;
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
fn it_is_written_out_for_who_wants_to_read_it() {
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
        "what is there is never written over"
    );
}

#[test]
fn a_run_without_a_server_says_where_to_name_one() {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(&["run"], folder.path());
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told.contains("--server") && told.contains("`url`"),
        "{told}"
    );
}
