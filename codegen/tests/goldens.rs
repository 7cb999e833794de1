//! What one feature becomes: each input in `goldens/` beside its output.
//!
//! Of a schema the input is the schema `Golden` of a document whose one operation takes it; of an
//! operation it is the document. `UPDATE_GOLDENS=1 cargo test -p codegen --test goldens` writes the
//! outputs anew; `golden_types.rs` and `runtime/tests/goldens/` compile and use them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop where it cannot go on"
)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use codegen::{Options, format, generate};
use spec::Document;

/// Each input is a schema; its output is what the models are.
const SCHEMAS: &str = "tests/goldens";

/// Each input is a document that says which files of its area it shows.
const OPERATIONS: &str = "tests/goldens/operations";

fn inputs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "yaml")
    });
    inputs.sort();
    inputs
}

/// The schema as the one that an operation of a document takes.
fn document_of(schema: &str) -> String {
    let lines: Vec<&str> = schema.lines().collect();
    let indented = format!("      {}\n", lines.join("\n      "));
    format!(
        "openapi: 3.0.4\ninfo: {{title: Golden, version: '1'}}\npaths:\n  /golden:\n    post:\n      \
         tags: [golden]\n      operationId: golden\n      requestBody:\n        content:\n          \
         application/json: {{schema: {{$ref: '#/components/schemas/Golden'}}}}\n      responses:\n        \
         '204': {{description: done}}\ncomponents:\n  schemas:\n    Golden:\n{indented}"
    )
}

fn models_of(schema: &Path) -> String {
    let text = document_of(&fs::read_to_string(schema).unwrap());
    let document = spec::loader::load_text("golden.yaml", &text).unwrap();
    part_of(&document, "models", "golden")
}

/// The file of a part of the crate (`models`, `client`, …) for the area in it.
fn part_of(document: &Document, part: &str, area: &str) -> String {
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: None,
    };
    let output = generate(document, &options).unwrap();
    let path = PathBuf::from(format!("src/{part}/{area}.rs"));
    let files = output.files.into_iter().filter(|file| file.path == path);
    format(files.collect()).unwrap().remove(0).text
}

/// The files that the document of an operation says it shows, by the place of each.
fn parts_of(input: &Path) -> Vec<(PathBuf, String)> {
    let text = fs::read_to_string(input).unwrap();
    let document = spec::loader::load_text("golden.yaml", &text).unwrap();
    let area = input
        .file_stem()
        .unwrap()
        .to_str()
        .unwrap()
        .replace('-', "_");
    let parts = document.root.get("x-golden").unwrap();
    let parts = parts.items().map(|part| part.as_str().unwrap());
    parts
        .map(|part| {
            let text = part_of(&document, part, &area);
            (input.with_extension(format!("{part}.rs")), text)
        })
        .collect()
}

#[test]
fn every_golden_is_what_comes_out() {
    let schemas = inputs(SCHEMAS).into_iter();
    let schemas = schemas.map(|input| (input.with_extension("rs"), models_of(&input)));
    let operations = inputs(OPERATIONS).into_iter();
    let operations = operations.flat_map(|input| parts_of(&input));
    for (path, actual) in schemas.chain(operations) {
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
    let schemas = include_str!("golden_types.rs");
    for input in inputs(SCHEMAS) {
        is_named(schemas, &input.with_extension("rs"));
    }
    let operations = [
        include_str!("../runtime/tests/goldens/client.rs"),
        include_str!("../runtime/tests/goldens/models.rs"),
        include_str!("../runtime/tests/goldens/operations.rs"),
        include_str!("../runtime/tests/goldens/server.rs"),
    ]
    .concat();
    for input in inputs(OPERATIONS) {
        for (output, _) in parts_of(&input) {
            is_named(&operations, &output);
        }
    }
}

fn is_named(test: &str, output: &Path) {
    let name = output.file_name().unwrap().to_str().unwrap();
    let compiled = test.contains(&format!("/{name}\""));
    assert!(compiled, "no test compiles {name}");
}

/// The lines that an output may have; some forty are the same for every area.
const LONGEST: usize = 78;

#[test]
fn a_golden_is_short() {
    for input in inputs(OPERATIONS) {
        let outputs = parts_of(&input)
            .into_iter()
            .map(|(path, _)| (path, LONGEST));
        for (path, most) in std::iter::once((input, 40)).chain(outputs) {
            let lines = fs::read_to_string(&path).unwrap().lines().count();
            assert!(lines <= most, "{}: {lines} lines", path.display());
        }
    }
}
