//! Generated clients put on the wire what the specification demands, and generated servers read it.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn codegen(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Runs the program, which works in a folder below the target folder.
fn wire(documents: &[PathBuf]) -> String {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("wire");
    let output = Command::new(env!("CARGO_BIN_EXE_wire"))
        .arg("--out")
        .arg(out)
        .args(documents)
        .output()
        .unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert!(output.status.success(), "{printed}");
    printed
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
    let printed = wire(&documents.map(codegen));
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
