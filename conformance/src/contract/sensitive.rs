//! Finds the names of properties that carry secrets.

use std::collections::BTreeSet;

use openapi_document::Pointer;
use openapi_document::grammar::{Kind, walk};
use openapi_document::view::{Document, Located};

use crate::shape::Shape;

/// The names of all properties whose schemas have `x-sensitive`.
pub(super) fn names(document: &Document) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut texts = document.sources.files().map(|(_, file)| file.text());
    if !texts.any(|text| text.contains("x-sensitive")) {
        return names;
    }
    let mut pointer = Pointer::root();
    walk(
        &document.root,
        Kind::Document,
        &mut pointer,
        &mut |node, kind, pointer| {
            if kind == Kind::Schema
                && let Some(properties) = node.get("properties")
            {
                for entry in properties.entries() {
                    let property = Located {
                        node: &entry.value,
                        pointer: pointer.join("properties").join(&entry.key),
                    };
                    if Shape::of(document, Some(&property)).flag("x-sensitive") {
                        names.insert(entry.key.clone());
                    }
                }
            }
            true
        },
    );
    names
}
