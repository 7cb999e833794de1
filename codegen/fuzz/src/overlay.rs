//! Overlays of broken documents: the document carries its overlay as a field, so that one text is the
//! whole case.

use std::fs;
use std::path::PathBuf;

use fastrand::Rng;
use openapi_document::loader::{self, LoadError};
use openapi_document::node::{Entry, Mapping, Node, Value};
use openapi_document::origin::Disk;
use openapi_document::{Document, json};

use crate::choice::{KEYWORD_VALUES, one_of};

/// The field of a document that holds its overlay.
const FIELD: &str = "x-overlay";

const TARGETS: &[&str] = &[
    "$",
    "$.paths",
    "$.paths.*.*",
    "$.paths..responses.*",
    "$.info.title",
    "$.components.schemas.*",
    "$..*",
    "$..schema",
    "$..properties.*",
    "$..*..*",
    "$..['$ref']",
    "$..[0:9:2]",
    "$..[-1]",
    "$..[?@.type == 'string']",
    "$..[?@.properties && !@.type]",
    "$..[?length(@.enum) > 1].enum",
    "$..[?match(@.name, '(')]",
    "$.servers[?@.url]",
    "$.none",
    "$[",
    "$..a..b..c",
    "",
];

/// Adds an overlay to a document, in place of the one that it has.
pub fn add(document: &mut Node, rng: &mut Rng) {
    let Value::Mapping(fields) = &mut document.value else {
        return;
    };
    let actions: Vec<String> = (0..rng.usize(1..5)).map(|_| action(rng)).collect();
    let version = one_of(&["1.0.0", "1.1.0", "1.1.0", "2.0.0"], rng);
    let text = format!(
        r#"{{"overlay":"{version}","info":{{"title":"o","version":"1"}},"actions":[{}]}}"#,
        actions.join(",")
    );
    let Ok(overlay) = json::read_text(&text) else {
        return;
    };
    fields.entries.retain(|entry| entry.key != FIELD);
    fields.entries.push(Entry {
        key: FIELD.to_owned(),
        key_span: document.span,
        value: overlay,
    });
}

fn action(rng: &mut Rng) -> String {
    let target = one_of(TARGETS, rng);
    let value = one_of(KEYWORD_VALUES, rng);
    let change = match rng.u8(..6) {
        0 => r#""remove":true"#.to_owned(),
        1 => format!(r#""copy":"{}""#, one_of(TARGETS, rng)),
        2 => format!(r#""update":{value}"#),
        3 => format!(r#""update":[{value}]"#),
        4 => format!(
            r#""update":{{"{}":{value}}}"#,
            one_of(&["type", "$ref", "allOf", "x"], rng)
        ),
        _ => format!(r#""update":{value},"remove":false,"description":7"#),
    };
    format!(r#"{{"target":"{target}",{change}}}"#)
}

/// The document as its overlay changes it; nothing where it carries none.
///
/// # Errors
/// The overlay is refused, or what it makes of the document.
pub fn applied(document: &Document) -> Option<Result<Document, LoadError>> {
    let overlay = document.root.get(FIELD)?;
    let mut root = document.root.clone();
    if let Value::Mapping(Mapping { entries }) = &mut root.value {
        entries.retain(|entry| entry.key != FIELD);
    }
    let write = |name: &str, node: &Node| -> Option<PathBuf> {
        let path = std::env::temp_dir().join(format!("fuzz-{}-{name}.json", std::process::id()));
        fs::write(&path, node.to_json_pretty()).ok()?;
        Some(path)
    };
    let paths = write("document", &root).zip(write("overlay", overlay));
    let (document, overlay) = paths?;
    let loaded = loader::load_with(&document, Box::new(Disk), std::slice::from_ref(&overlay));
    for path in [document, overlay] {
        // What is left behind is overwritten by the next case.
        let _ = fs::remove_file(path);
    }
    Some(loaded)
}
