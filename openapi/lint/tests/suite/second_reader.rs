//! Tests the crate `openapiv3` as a second parser of 3.0 documents. What it refuses is an error if
//! the document is wrong, and an info if the crate has a gap.

use std::fs;
use std::path::{Path, PathBuf};

use openapi_document::{Document, loader};
use openapi_lint::{Level, Levels, RULES, lint_with};
use openapiv3::OpenAPI;
use serde::Deserialize;
use serde_json::{Value, json};

/// The findings of the two rules that use the crate, one per line.
fn findings(document: &Document) -> Vec<String> {
    let mut levels = Levels::default();
    let checked = ["invalid-structure", "refused-by-openapiv3"];
    for rule in RULES.iter().filter(|rule| !checked.contains(&rule.id)) {
        levels.set(rule.id, Level::Off).unwrap();
    }
    lint_with(document, &levels)
        .iter()
        .map(|finding| finding.one_line(&document.sources))
        .collect()
}

fn is_read(document: &Document) -> bool {
    OpenAPI::deserialize(document.root.to_serde()).is_ok()
}

fn load(version: &str, parts: &str) -> Document {
    let head = format!("openapi: {version}\ninfo: {{title: t, version: '1'}}\n");
    let rest = if parts.contains("paths:") {
        ""
    } else {
        "paths: {}\n"
    };
    loader::load_text("t.yaml", &format!("{head}{parts}\n{rest}")).unwrap()
}

/// A part of a document, and the beginning and the end of the finding; empty if there is none.
const CASES: &[(&str, &str, &str)] = &[
    (
        "components: {schemas: {Size: {type: integer, exclusiveMinimum: 5}}}",
        "t.yaml:3:64: error[invalid-structure]: this is not a valid Schema object: `exclusiveMinimum` must be a boolean; this is 5",
        "(openapiv3: invalid type: integer `5`, expected a boolean)",
    ),
    (
        "components: {schemas: {Size: {required: [a, 1]}}}",
        "t.yaml:3:45: error[invalid-structure]: this is not a valid Schema object: `required` must be an array of strings; this is 1",
        "(openapiv3: invalid type: integer `1`, expected a string)",
    ),
    (
        "components: {schemas: {Size: {items: true}}}",
        "t.yaml:3:38: error[invalid-structure]: this is not a valid Schema object: expected an object, got boolean",
        "expected struct Schema)",
    ),
    (
        "components: {schemas: {Size: {minLength: -1}}}",
        "t.yaml:3:42: error[invalid-structure]: this is not a valid Schema object: `minLength` must be a non-negative whole number; this is -1",
        ")",
    ),
    (
        "components: {parameters: {Id: {name: id, in: body, schema: {}}}}",
        "t.yaml:3:46: error[invalid-structure]: this is not a valid Parameter object: `in` must be one of query, header, path, cookie; this is \"body\"",
        "(openapiv3: unknown variant `body`, expected one of `query`, `header`, `path`, `cookie`)",
    ),
    (
        "components: {securitySchemes: {Key: {type: http}}}",
        "t.yaml:3:37: error[invalid-structure]: this is not a valid SecurityScheme object: `scheme` is missing",
        "(openapiv3: missing field `scheme`)",
    ),
    (
        "tags: [{name: 1, description: [a]}]",
        "t.yaml:3:15: error[invalid-structure]: this is not a valid Tag object: `name` must be a string; this is 1",
        ")",
    ),
    (
        "paths: {/a: {get: {responses: {}, callbacks: {done: {$ref: '#/components/callbacks/Done'}}}}}\n\
         components: {callbacks: {Done: {}}}",
        "t.yaml:3:60: info[refused-by-openapiv3]: openapiv3 cannot read this Callback object:",
        "expected struct PathItem",
    ),
    (
        "paths: {/a: {get: {responses: {}, callbacks: {done: {x-sent: later}}}}}",
        "t.yaml:3:62: info[refused-by-openapiv3]: openapiv3 cannot read this Callback object:",
        "expected struct PathItem",
    ),
    (
        "components: {schemas: {Size: {maxLength: 10.0}}}",
        "t.yaml:3:42: info[refused-by-openapiv3]: openapiv3 cannot read this Schema object: invalid type: floating point `10.0`",
        "expected usize",
    ),
    (
        "components: {schemas: {Size: {maxItems: 18446744073709551616}}}",
        "t.yaml:3:41: info[refused-by-openapiv3]: openapiv3 cannot read this Schema object: invalid type: floating point",
        "expected usize",
    ),
    (
        "components: {schemas: {Size: {type: integer, maximum: 18446744073709551616}}}",
        "",
        "",
    ),
    (
        "components: {schemas: {Size: {additionalProperties: true, enum: [null], example: null}}}",
        "",
        "",
    ),
];

#[test]
fn a_refused_object_is_an_error_if_the_document_is_wrong() {
    let mut surprises = Vec::new();
    for (parts, begin, end) in CASES {
        let document = load("3.0.4", parts);
        let found = findings(&document);
        let fits = match found.as_slice() {
            [] => begin.is_empty(),
            [one] => !begin.is_empty() && one.starts_with(begin) && one.ends_with(end),
            _ => false,
        };
        if !fits || is_read(&document) != begin.is_empty() {
            surprises.push(format!("{parts}: {found:#?}"));
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

#[test]
fn documents_of_3_1_are_not_checked_with_the_crate() {
    let parts = "paths: {/a: {get: {responses: {}, callbacks: {done: {x-sent: later}}}}}\n\
                 components: {schemas: {Size: {type: [integer, 'null'], exclusiveMinimum: 5}}}";
    let document = load("3.1.0", parts);
    assert!(!is_read(&document));
    assert_eq!(findings(&document), [] as [&str; 0]);
}

/// The crate parses a faulty child of an untagged type twice. Without the separate parsing, 200
/// levels would take forever.
#[test]
fn a_deeply_nested_error_is_found_quickly() {
    let mut schema = json!({"type": 1});
    for _ in 0..200 {
        schema = json!({"type": "array", "items": schema});
    }
    let text = json!({"openapi": "3.0.4", "info": {"title": "t", "version": "1"}, "paths": {},
        "components": {"schemas": {"Deep": schema}}});
    let document = loader::load_text("t.json", &text.to_string()).unwrap();
    let found = findings(&document);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].contains("`type` must be a string; this is 1"));
}

/// Records why the generator does not parse documents with the crate; see
/// docs/decisions/own-tree.md. If one of these fails, revise that decision.
#[test]
fn the_typed_model_loses_what_the_generator_needs() {
    let document = load(
        "3.0.4",
        "components:\n  schemas:\n    Price:\n      requird: [a]\n      multipleOf: 0.10\n      maximum: 18446744073709551616\n      \
         xml: {name: p}\n      properties: {a: {$ref: '#/components/schemas/Price', x-provenance: {level: documented}}}\n",
    );
    let model = OpenAPI::deserialize(document.root.to_serde()).unwrap();
    let back = serde_json::to_value(&model).unwrap();
    let price = &back["components"]["schemas"]["Price"];
    assert!(price.get("requird").is_none() && price.get("xml").is_none());
    assert!(price["properties"]["a"].get("x-provenance").is_none());
    assert_eq!(price["multipleOf"].to_string(), "0.1");
    assert_ne!(price["maximum"].to_string(), "18446744073709551616");

    // Only the first error is reported, without a line.
    let two = load("3.0.4", "tags: [{name: 1}]\nservers: [{url: 1}]");
    let error = OpenAPI::deserialize(two.root.to_serde()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid type: integer `1`, expected a string"
    );
    assert_eq!(findings(&two).len(), 2);
}

#[test]
fn published_documents_are_refused_by_both_or_none() {
    for (prerequisite, folder) in [
        (&prerequisites::PUBLISHED_DOCUMENTS, "corpus"),
        (&prerequisites::MORE_PUBLISHED_DOCUMENTS, "wild"),
    ] {
        if prerequisite.is_met() {
            let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
            compare_all(&shared.join(folder));
        }
    }
}

#[allow(
    clippy::print_stdout,
    reason = "the figures are in docs/decisions/own-tree.md"
)]
fn compare_all(folder: &Path) {
    let (mut read, mut refused, mut newer, mut losses) = (0, 0, 0, Losses::default());
    for path in documents(folder) {
        let document = loader::load(&path).unwrap();
        let (name, found) = (path.display(), findings(&document));
        let version = document.version().unwrap_or_default();
        if !version.starts_with("3.0.") {
            newer += 1;
            assert_eq!(found, [] as [&str; 0], "{name}");
            continue;
        }
        match OpenAPI::deserialize(document.root.to_serde()) {
            Ok(model) => {
                read += 1;
                assert_eq!(found, [] as [&str; 0], "{name}");
                losses.add(&document, &serde_json::to_value(model).unwrap());
            }
            Err(error) => {
                refused += 1;
                assert!(!found.is_empty(), "{name}: {error}");
            }
        }
    }
    let folder = folder.display();
    println!("{folder}: of 3.0 {read} read, {refused} refused; of 3.1 {newer}; {losses:?}");
    assert!(read > 10, "{read}");
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let is_document = |path: &PathBuf| {
        let end = path.extension().and_then(|end| end.to_str());
        matches!(end, Some("json" | "yaml"))
    };
    let paths = fs::read_dir(folder).unwrap();
    let paths = paths.map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(is_document).collect();
    paths.sort();
    paths
}

/// Counts what is lost when the typed model is written again.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Losses {
    documents: usize,
    siblings: usize,
    digits: usize,
    fields: usize,
}

impl Losses {
    fn add(&mut self, document: &Document, back: &Value) {
        let before = *self;
        self.compare(&document.root, back);
        self.documents += usize::from(*self != before);
    }

    fn compare(&mut self, node: &openapi_document::Node, back: &Value) {
        for entry in node.entries() {
            match back.get(&entry.key) {
                Some(back) => self.compare(&entry.value, back),
                None if node.reference().is_some() => self.siblings += 1,
                None => self.fields += usize::from(!is_default(&entry.value)),
            }
        }
        for (index, item) in node.items().enumerate() {
            self.compare(item, &back[index]);
        }
        let written = back.to_string();
        let is_other = |digits: &str| back.is_number() && written != digits;
        self.digits += usize::from(node.as_number().is_some_and(is_other));
    }
}

/// Whether the crate omits a value when it writes.
fn is_default(node: &openapi_document::Node) -> bool {
    let is_empty = node.as_mapping().is_some() || node.as_sequence().is_some();
    let is_empty = is_empty && node.entries().count() + node.items().count() == 0;
    node.is_null() || node.as_bool() == Some(false) || is_empty
}
