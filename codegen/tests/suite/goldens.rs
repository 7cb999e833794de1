//! Compares the output for each input in `goldens/`; the crate there compiles and calls the output.
//!
//! An input in `schemas/` is the schema `Golden` of a document whose one operation takes it. An
//! input in `operations/` is a document; `x-golden` lists the parts of the crate that it shows. A
//! change of the outputs is reviewed with `cargo insta review`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use codegen::{Options, format, generate};
use openapi_document::Document;
use openapi_document::node::{Mapping, Node, Value};

/// How many lines an input may have.
const LONGEST: usize = 40;

/// A file of a generated crate for an input, named like its snapshot.
struct Output {
    /// The folder: `client`, `models`, `operations`, `server` or `types`.
    part: String,
    name: String,
    text: String,
}

pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("goldens")
        .join(name)
}

/// Compares a text with its snapshot.
pub(crate) fn assert_output(part: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(folder("outputs").join(part));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn inputs(kind: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder("inputs").join(kind)).unwrap();
    let mut inputs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    assert!(!inputs.is_empty(), "{kind}");
    inputs
}

/// The document whose one operation takes the schema. A schema of 3.1 says so in its first line.
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

/// The file of a part of the crate (`models`, `client`, …) for an area; `client/mod` names the file
/// itself.
fn file(document: &Document, part: &str, area: &str) -> String {
    let options = Options {
        crate_name: "golden".to_owned(),
        complete_crate: false,
        round_trips: false,
        source_label: "golden.yaml".to_owned(),
        behaviour: None,
        command: String::new(),
        exact: false,
        ..Options::default()
    };
    let output = generate(document, &options).unwrap();
    let path = PathBuf::from(match part.split_once('/') {
        Some(_) => format!("src/{part}.rs"),
        None => format!("src/{part}/{area}.rs"),
    });
    let files = output.files.into_iter();
    let mut file = files.filter(|file| file.path == path).collect::<Vec<_>>();
    file[0].text = without_modules(&file[0].text);
    without_origin(&format(file).unwrap().remove(0).text)
}

/// Without the declarations of modules, which the build script writes.
pub(crate) fn without_modules(text: &str) -> String {
    let kept = text.split_inclusive('\n');
    kept.filter(|line| !line.starts_with("pub mod ")).collect()
}

/// Without the lines that say where a file comes from.
pub(crate) fn without_origin(text: &str) -> String {
    let kept = text.split_inclusive('\n');
    let text: String = kept.skip_while(|line| line.starts_with("//!")).collect();
    text.trim_start().to_owned()
}

/// The outputs of all inputs, each document turned before it is generated.
fn outputs(turn: fn(&Document) -> Document) -> Vec<Output> {
    let mut all = Vec::new();
    let load =
        |text: &str| turn(&openapi_document::loader::load_text("golden.yaml", text).unwrap());
    for input in inputs("schemas") {
        let document = load(&document_of(&fs::read_to_string(&input).unwrap()));
        all.push(Output {
            part: "types".to_owned(),
            name: stem(&input),
            text: file(&document, "models", "golden"),
        });
    }
    for input in inputs("operations") {
        let document = load(&fs::read_to_string(&input).unwrap());
        let area = stem(&input);
        let parts = document.root.get("x-golden").unwrap();
        let mut parts: Vec<&str> = parts.items().map(|part| part.as_str().unwrap()).collect();
        parts.sort_unstable();
        for part in parts {
            let (folder, suffix) = part
                .strip_suffix("/mod")
                .map_or((part, ""), |folder| (folder, "-root"));
            all.push(Output {
                part: folder.to_owned(),
                name: format!("{area}{suffix}"),
                text: file(&document, part, &area.replace('-', "_")),
            });
        }
    }
    all
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn every_output_is_what_comes_out() {
    let outputs = outputs(Document::clone);
    for output in &outputs {
        assert_output(&output.part, &output.name, &output.text);
    }
    let known: BTreeSet<(String, String)> = outputs
        .into_iter()
        .map(|output| (output.part, output.name))
        .collect();
    for part in ["client", "models", "operations", "server", "types"] {
        for entry in fs::read_dir(folder("outputs").join(part)).unwrap() {
            let path = entry.unwrap().path();
            let is_pending = path.extension().is_some_and(|end| end == "new");
            let own = (part.to_owned(), stem(&path));
            assert!(is_pending || known.contains(&own), "{own:?} has no input");
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
    for (turned, plain) in outputs(turned).into_iter().zip(outputs(Document::clone)) {
        let name = format!("{}/{}", turned.part, turned.name);
        assert_eq!(turned.text, plain.text, "{name}");
    }
}

#[test]
fn an_input_is_short() {
    for input in inputs("schemas").into_iter().chain(inputs("operations")) {
        let lines = fs::read_to_string(&input).unwrap().lines().count();
        assert!(lines <= LONGEST, "{}: {lines} lines", input.display());
    }
}
