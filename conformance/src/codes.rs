//! Codes: the codes that a document gives its refusals, by its schemas, its examples and what its texts call a code.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::{Document, MediaType, Operation, Response, Status};

use crate::names;
use crate::shape::Shape;

/// Every code that a document has.
#[derive(Debug, Default)]
pub(crate) struct AllCodes(BTreeSet<String>);

impl AllCodes {
    /// Those of a document.
    pub(crate) fn of(document: &Document) -> Self {
        Self(known(document, &document.operations()))
    }

    /// Whether a text is a code.
    pub(crate) fn is_known(&self, text: &str) -> bool {
        self.0.contains(text)
    }
}

/// Whether a name is that of a code.
pub(crate) fn names_code(name: &str) -> bool {
    names::words(name).last().is_some_and(|own| own == "code")
}

/// The code of a refusal: in its body, or in the one object that tells of it.
pub(crate) fn code_of<'b>(body: &'b Node) -> Option<&'b str> {
    let objects = std::iter::once(body).chain(body.entries().map(|own| &own.value));
    let own = |node: &'b Node| {
        node.entries()
            .find(|own| names_code(&own.key))?
            .value
            .as_str()
    };
    let mut found = objects.filter_map(own);
    found.next().filter(|_| found.next().is_none())
}

/// The codes of the examples of a response.
fn shown(response: &Response<'_>) -> impl Iterator<Item = String> {
    let content = response.content();
    let shown = content.iter().flat_map(MediaType::examples);
    let codes = shown.filter_map(|own| code_of(own.value.node).map(str::to_owned));
    codes.collect::<Vec<_>>().into_iter()
}

/// Every code of a document: of a closed list of them, of the examples of refusals, and what is called one in a text.
fn known(document: &Document, operations: &[Operation<'_>]) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let mut take = |text: &str| known.extend(called(text));
    let root = document.located_root().node;
    let overall = root.get("info").and_then(|own| own.get("description"));
    take(overall.and_then(Node::as_str).unwrap_or_default());
    let mut listed = Vec::new();
    for operation in operations {
        let text = operation.at.node.get("description").and_then(Node::as_str);
        take(text.unwrap_or_default());
        for response in operation.responses() {
            if !matches!(response.status, Status::Code(400..) | Status::Range(4 | 5)) {
                continue;
            }
            listed.extend(shown(&response));
            for media in response.content() {
                let shape = Shape::of(document, media.schema().as_ref());
                for name in shape.property_names() {
                    let own = shape.property(document, name);
                    let within = own.property_names().into_iter();
                    let within = within.filter(|own| names_code(own));
                    let values =
                        within.flat_map(|name| own.property(document, name).known_values());
                    listed.extend(values.map(str::to_owned));
                    if names_code(name) {
                        listed.extend(own.known_values().into_iter().map(str::to_owned));
                    }
                }
            }
        }
    }
    known.extend(listed);
    known.retain(|own| own.len() > 2);
    known
}

/// What a text marks and calls a code: the code `order_closed`.
fn called(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('`').collect();
    let marked = parts.iter().enumerate().skip(1).step_by(2);
    let is_called = |before: &str| {
        let last = before.split_whitespace().next_back();
        last.is_some_and(|own| own.eq_ignore_ascii_case("code"))
    };
    let called = marked.filter(|(at, _)| is_called(parts[at - 1]));
    let is_plain = |own: &&&str| {
        let fits = |own: char| own.is_ascii_alphanumeric() || "_-.".contains(own);
        own.chars().all(fits) && own.starts_with(|own: char| own.is_ascii_alphabetic())
    };
    called
        .map(|own| own.1)
        .filter(is_plain)
        .map(|own| (*own).to_owned())
        .collect()
}
