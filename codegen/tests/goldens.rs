//! What one feature of a schema becomes: each input in `goldens/` beside its output.
//!
//! The input is the schema `Golden` of a document whose one operation takes it.
//! `UPDATE_GOLDENS=1 cargo test -p codegen --test goldens` writes the outputs anew;
//! `golden_types.rs` compiles and uses them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where it cannot go on"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use codegen::{File, Options, format, generate};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens")
}

fn inputs() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap();
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    inputs.sort();
    inputs
}

fn models_of(schema: &Path) -> String {
    let schema = fs::read_to_string(schema).unwrap();
    let lines: Vec<&str> = schema.lines().collect();
    let indented = format!("      {}\n", lines.join("\n      "));
    let text = format!(
        "openapi: 3.0.4\ninfo: {{title: Golden, version: '1'}}\npaths:\n  /golden:\n    post:\n      \
         tags: [golden]\n      operationId: golden\n      requestBody:\n        content:\n          \
         application/json: {{schema: {{$ref: '#/components/schemas/Golden'}}}}\n      responses:\n        \
         '204': {{description: done}}\ncomponents:\n  schemas:\n    Golden:\n{indented}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("golden.yaml");
    fs::write(&path, text).unwrap();
    let document = spec::loader::load(&path).unwrap();
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: None,
    };
    let output = generate(&document, &options).unwrap();
    let is_models = |file: &File| file.path == Path::new("src/models/golden.rs");
    let files = output.files.into_iter().filter(is_models).collect();
    format(files).unwrap().remove(0).text
}

#[test]
fn every_golden_is_what_comes_out() {
    for input in inputs() {
        let path = input.with_extension("rs");
        let actual = models_of(&input);
        if env::var_os("UPDATE_GOLDENS").is_some() {
            fs::write(&path, actual).unwrap();
            continue;
        }
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            actual,
            expected,
            "{}: UPDATE_GOLDENS=1 writes it anew",
            path.display()
        );
    }
}

#[test]
fn every_output_is_compiled() {
    let compiled = include_str!("golden_types.rs");
    for input in inputs() {
        let output = input.with_extension("rs");
        let name = output.file_name().unwrap().to_str().unwrap();
        assert!(
            compiled.contains(&format!("{name}\"")),
            "{name} is not in golden_types.rs"
        );
    }
}
