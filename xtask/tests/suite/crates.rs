//! The crates of documents compile without a warning, and put on the wire what the specification demands.

use std::path::{Path, PathBuf};
use std::process::Command;

fn codegen(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../codegen")
        .join(path)
}

/// Runs a verb, which works in a folder of its own below the target folder.
fn verb(verb: &str, arguments: &[&str], documents: &[PathBuf]) -> String {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(verb);
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .arg(verb)
        .args(arguments)
        .arg("--out")
        .arg(out)
        .args(documents)
        .output()
        .unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{printed}");
    printed
}

/// A document with every feature, hostile ones, those that are as tricky as published ones, and one whose areas
/// compile alone.
#[test]
fn the_crates_of_foreign_documents_compile() {
    let documents = [
        "tests/sample.yaml",
        "tests/hostile",
        "tests/tricky",
        "tests/areas/areas.yaml",
    ];
    let table = verb("crates", &["--tests", "--areas"], &documents.map(codegen));
    let rows = table.lines().filter(|line| line.ends_with("| yes |"));
    assert!(rows.count() > 15, "{table}");
}

/// Our own contract, and a document for each style of a parameter and kind of a body.
#[test]
fn clients_send_the_bytes_that_the_specification_demands() {
    let documents = [
        "../spec/openapi.yaml",
        "goldens/inputs/operations/binary-bodies.yaml",
        "goldens/inputs/operations/form-bodies.yaml",
        "goldens/inputs/operations/header-and-cookie-parameters.yaml",
        "goldens/inputs/operations/multipart.yaml",
        "goldens/inputs/operations/path-styles.yaml",
        "goldens/inputs/operations/query-styles.yaml",
        "goldens/inputs/operations/several-media-types.yaml",
    ];
    let printed = verb("wire", &[], &documents.map(codegen));
    let summaries: Vec<&str> = printed
        .lines()
        .filter(|line| line.contains(" at fault;"))
        .collect();
    let covers = |what: &str| summaries.iter().any(|line| line.contains(what));
    for place in ["path", "query", "header", "cookie"] {
        assert!(
            covers(&format!("({place} ")) || covers(&format!(", {place} ")),
            "{place}: {printed}"
        );
    }
    for body in [
        "application/json",
        "application/octet-stream",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain",
    ] {
        assert!(covers(body), "{body}: {printed}");
    }
}
