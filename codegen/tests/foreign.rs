//! The crate of a foreign document compiles, without a warning.
#![allow(clippy::unwrap_used, reason = "a test may stop where it cannot go on")]

use std::fs;
use std::path::Path;
use std::process::Command;

use codegen::{Options, generate, write};

#[test]
fn the_crate_of_a_foreign_document_compiles() {
    let codegen = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = spec::loader::load(&codegen.join("tests/sample.yaml")).unwrap();
    let options = Options {
        crate_name: "sample".to_owned(),
        complete_crate: true,
        round_trips: false,
        source_label: "sample.yaml".to_owned(),
        behaviour: None,
    };
    let output = generate(&document, &options).unwrap();
    // It stays there, so that its dependencies are compiled once.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sample");
    write(&output.files, &folder).unwrap();
    // The same versions as here, so that nothing is downloaded.
    fs::copy(codegen.join("../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let cargo = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--tests"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&cargo.stderr);
    assert!(cargo.status.success() && told.is_empty(), "{told}");
}
