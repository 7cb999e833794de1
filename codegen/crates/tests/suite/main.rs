//! The crates of documents compile without a warning.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn codegen(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// Runs a verb, which works in a folder of its own below the target folder.
fn verb(folder: &str, verb: &str, arguments: &[&str], documents: &[PathBuf]) -> String {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let output = Command::new(env!("CARGO_BIN_EXE_crates"))
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
    let arguments = ["--tests", "--areas"];
    let table = verb("compile", "compile", &arguments, &documents.map(codegen));
    let rows = table.lines().filter(|line| line.ends_with("| yes |"));
    assert!(rows.count() > 15, "{table}");
}

/// With the runtime as a package; the samples have links, streams, pages and credentials.
#[test]
fn crates_that_depend_on_the_runtime_compile() {
    let documents = [
        "tests/sample.yaml",
        "tests/tricky/circles-and-mappings.yaml",
    ];
    let arguments = ["--tests", "--doc-tests", "--runtime-crate"];
    let table = verb(
        "runtime-crate",
        "compile",
        &arguments,
        &documents.map(codegen),
    );
    let rows = table.lines().filter(|line| line.ends_with("| yes |"));
    assert_eq!(rows.count(), 2, "{table}");
}
