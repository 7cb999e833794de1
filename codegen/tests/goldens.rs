//! What one feature becomes: each input in `goldens/` beside its output.
//!
//! Of a schema the input is the schema `Golden` of a document whose one operation takes it; of an
//! operation it is the document. `UPDATE_GOLDENS=1 cargo test -p codegen --test goldens` writes the
//! outputs anew; `golden_types.rs` and `runtime/tests/goldens/` compile and use them.
//!
//! An output is cut into pages of at most forty lines between its items: `name.rs`, `name.2.rs`, ….
//! The lines that say where a file comes from are left out.
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
use spec::node::{Mapping, Node, Value};

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

/// How many lines an input or a page may have.
const LONGEST: usize = 40;

/// The schema as the one that an operation of a document takes. A schema of 3.1 says so in its
/// first line.
fn document_of(schema: &str) -> String {
    let version = if schema.starts_with("# OpenAPI 3.1") {
        "3.1.0"
    } else {
        "3.0.4"
    };
    let lines: Vec<&str> = schema.lines().collect();
    let indented = format!("      {}\n", lines.join("\n      "));
    format!(
        "openapi: {version}\ninfo: {{title: Golden, version: '1'}}\npaths:\n  /golden:\n    post:\n      \
         tags: [golden]\n      operationId: golden\n      requestBody:\n        content:\n          \
         application/json: {{schema: {{$ref: '#/components/schemas/Golden'}}}}\n      responses:\n        \
         '204': {{description: done}}\ncomponents:\n  schemas:\n    Golden:\n{indented}"
    )
}

/// What a test does to a document before its golden is made.
type Turn = fn(&Document) -> Document;

fn pages_of_schema(schema: &Path, turn: Turn) -> Vec<(PathBuf, String)> {
    let text = document_of(&fs::read_to_string(schema).unwrap());
    let document = spec::loader::load_text("golden.yaml", &text).unwrap();
    pages(schema, "", &part_of(&turn(&document), "models", "golden"))
}

/// Cuts an output into pages, each with its place beside the input.
fn pages(input: &Path, part: &str, output: &str) -> Vec<(PathBuf, String)> {
    let mut pages: Vec<String> = Vec::new();
    for item in items(output) {
        match pages.last_mut() {
            Some(page) if page.lines().count() + 1 + item.lines().count() <= LONGEST => {
                page.push('\n');
                page.push_str(&item);
            }
            _ => pages.push(item),
        }
    }
    let path = |index: usize| match index {
        0 => input.with_extension(format!("{part}rs")),
        index => input.with_extension(format!("{part}{}.rs", index + 1)),
    };
    let placed = pages.into_iter().enumerate();
    placed.map(|(index, page)| (path(index), page)).collect()
}

/// The items of a file, without what stands before them.
fn items(output: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    let mut ended = true;
    for line in output.lines().skip_while(|line| line.starts_with("//!")) {
        if line.is_empty() && items.is_empty() {
            continue;
        }
        if ended && !line.is_empty() && !line.starts_with(' ') && !line.starts_with('}') {
            items.push(String::new());
        }
        ended = line.is_empty();
        if let Some(item) = items.last_mut() {
            item.push_str(line);
            item.push('\n');
        }
    }
    items
        .iter()
        .map(|item| format!("{}\n", item.trim_end()))
        .collect()
}

/// The file of a part of the crate (`models`, `client`, …) for the area in it; of `client/mod` and
/// the like, the file of that name.
fn part_of(document: &Document, part: &str, area: &str) -> String {
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: None,
    };
    let output = generate(document, &options).unwrap();
    let path = PathBuf::from(match part.split_once('/') {
        Some(_) => format!("src/{part}.rs"),
        None => format!("src/{part}/{area}.rs"),
    });
    let files = output.files.into_iter();
    let mut file = files.filter(|file| file.path == path).collect::<Vec<_>>();
    // Modules are declared where the output is compiled.
    let kept = file[0].text.lines();
    let kept: Vec<&str> = kept.filter(|line| !line.starts_with("pub mod ")).collect();
    file[0].text = kept.join("\n");
    format(file).unwrap().remove(0).text
}

/// The pages of the files that the document of an operation says it shows.
fn pages_of_operation(input: &Path, turn: Turn) -> Vec<(PathBuf, String)> {
    let text = fs::read_to_string(input).unwrap();
    let document = spec::loader::load_text("golden.yaml", &text).unwrap();
    let parts = document.root.get("x-golden").unwrap();
    let area = input.file_stem().unwrap().to_str().unwrap();
    let area = area.replace('-', "_");
    let mut all = Vec::new();
    for part in parts.items().map(|part| part.as_str().unwrap()) {
        let output = part_of(&turn(&document), part, &area);
        let part = part.replace('/', "-");
        all.extend(pages(input, &format!("{part}."), &output));
    }
    all
}

/// The pages of all outputs.
fn all_pages(turn: Turn) -> Vec<(PathBuf, String)> {
    let schemas = inputs(SCHEMAS).into_iter();
    let operations = inputs(OPERATIONS).into_iter();
    let schemas = schemas.flat_map(|input| pages_of_schema(&input, turn));
    schemas
        .chain(operations.flat_map(|input| pages_of_operation(&input, turn)))
        .collect()
}

/// The files beside the inputs.
fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files
}

#[test]
fn every_golden_is_what_comes_out() {
    let update = env::var_os("UPDATE_GOLDENS").is_some_and(|wanted| !wanted.is_empty());
    let pages = all_pages(Document::clone);
    for (path, actual) in &pages {
        if update {
            fs::write(path, actual).unwrap();
            continue;
        }
        let expected = fs::read_to_string(path).unwrap_or_default();
        assert_eq!(
            *actual,
            expected,
            "{}: UPDATE_GOLDENS=1 writes it anew",
            path.display()
        );
    }
    for file in [SCHEMAS, OPERATIONS].into_iter().flat_map(files) {
        let is_output = file.extension().is_some_and(|extension| extension == "rs");
        if is_output && pages.iter().all(|(path, _)| *path != file) {
            assert!(update, "{} comes from nothing", file.display());
            fs::remove_file(file).unwrap();
        }
    }
}

/// With the keys of each object in the opposite order.
fn turned(document: &Document) -> Document {
    Document {
        root: reversed(&document.root),
        ..document.clone()
    }
}

fn reversed(node: &Node) -> Node {
    let value = match &node.value {
        Value::Sequence(items) => Value::Sequence(items.iter().map(reversed).collect()),
        Value::Mapping(mapping) => {
            let mut entries = mapping.entries.clone();
            entries.reverse();
            for entry in &mut entries {
                entry.value = reversed(&entry.value);
            }
            Value::Mapping(Mapping { entries })
        }
        scalar => scalar.clone(),
    };
    Node {
        value,
        span: node.span,
    }
}

#[test]
fn goldens_are_the_same_with_their_keys_in_another_order() {
    let turned = all_pages(turned);
    assert!(!turned.is_empty());
    for (path, actual) in turned {
        let expected = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(actual, expected, "{}", path.display());
    }
}

#[test]
fn every_output_is_compiled() {
    let compiled = [
        include_str!("golden_types.rs"),
        include_str!("../runtime/tests/goldens/client.rs"),
        include_str!("../runtime/tests/goldens/models.rs"),
        include_str!("../runtime/tests/goldens/operations.rs"),
        include_str!("../runtime/tests/goldens/server.rs"),
    ]
    .concat();
    let missing: Vec<String> = all_pages(Document::clone)
        .iter()
        .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
        .filter(|name| !compiled.contains(&format!("/{name}\"")))
        .collect();
    assert!(missing.is_empty(), "no test compiles {missing:?}");
}

#[test]
fn a_golden_is_short() {
    for file in [SCHEMAS, OPERATIONS].into_iter().flat_map(files) {
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        assert!(lines <= LONGEST, "{}: {lines} lines", file.display());
    }
}
