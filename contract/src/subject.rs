//! Subject: the names of a place. List items have names instead of indices, so a new item or
//! another order changes no other name.

use openapi_document::pointer::escape;
use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

/// A place of a document in names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// The operation, such as `GET /things/{id}`; `None` outside of operations.
    pub operation: Option<String>,
    /// The names below the operation, or below the root.
    pub name: String,
    /// The first tag of the operation, or the section of the document.
    pub part: String,
}

impl Subject {
    /// The subject of the place to which a pointer leads.
    pub fn of(root: &Node, pointer: &Pointer) -> Self {
        let decoded: Vec<_> = pointer.segments().collect();
        let segments: Vec<&str> = decoded.iter().map(AsRef::as_ref).collect();
        let (operation, part, skipped) = match segments.as_slice() {
            ["paths", path, method, ..] if Method::parse(method).is_some() => {
                let label = format!("{} {path}", method.to_uppercase());
                (Some(label), tag(root, &segments[..3]), 3)
            }
            ["paths", path, "additionalOperations", method, ..] => (
                Some(format!("{method} {path}")),
                tag(root, &segments[..4]),
                4,
            ),
            [first, ..] => (None, (*first).to_owned(), 0),
            [] => (None, "document".to_owned(), 0),
        };
        let mut name = String::new();
        let mut node = Some(root);
        for (index, segment) in segments.iter().enumerate() {
            let child = node.and_then(|node| node.child(segment));
            if index >= skipped {
                if !name.is_empty() {
                    name.push('/');
                }
                let is_item = node.is_some_and(|node| node.as_sequence().is_some());
                let called = child.filter(|_| is_item).and_then(called);
                name.push_str(&called.unwrap_or_else(|| escape(segment).into_owned()));
            }
            node = child;
        }
        Self {
            operation,
            name,
            part,
        }
    }
}

/// The keys that name list items: `name` for parameters and tags, `url` for servers, and so on.
const NAMES: [&str; 6] = [
    "name",
    "workflowId",
    "stepId",
    "url",
    "operationId",
    "title",
];

/// The first tag of the operation at a place.
fn tag(root: &Node, operation: &[&str]) -> String {
    let operation = operation
        .iter()
        .try_fold(root, |node, segment| node.child(segment));
    let tag = operation.and_then(|operation| operation.get("tags")?.item(0)?.as_str());
    tag.unwrap_or("paths").to_owned()
}

/// The name of a list item; `None` if it has none.
fn called(item: &Node) -> Option<String> {
    if let Some(reference) = item.reference() {
        return reference.rsplit('/').next().map(str::to_owned);
    }
    if let Some(text) = item.as_str().or(item.as_number()) {
        return Some(escape(text).into_owned());
    }
    let text = |key: &str| item.get(key)?.as_str();
    let name = NAMES.iter().find_map(|key| text(key))?;
    Some(match text("in") {
        Some(location) => format!("{location}:{}", escape(name)),
        None => escape(name).into_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use openapi_document::loader::load_text;

    #[test]
    fn list_items_have_names() {
        let text = "openapi: 3.0.4\ninfo: {title: t, version: '1'}\npaths:\n  /a/{id}:\n    get:\n      tags: [things]\n      parameters:\n        - {name: id, in: path, schema: {enum: [x, y]}}\n        - {$ref: '#/components/parameters/Page'}\n";
        let document = load_text("a.yaml", text).unwrap();
        for (pointer, operation, name, part) in [
            (
                "/paths/~1a~1{id}/get/parameters/0/schema/enum/1",
                Some("GET /a/{id}"),
                "parameters/path:id/schema/enum/y",
                "things",
            ),
            (
                "/paths/~1a~1{id}/get/parameters/1",
                Some("GET /a/{id}"),
                "parameters/Page",
                "things",
            ),
            ("/info/version", None, "info/version", "info"),
            ("", None, "", "document"),
        ] {
            let pointer = Pointer::parse(pointer).unwrap();
            let subject = Subject::of(&document.root, &pointer);
            assert_eq!(subject.operation.as_deref(), operation);
            assert_eq!(subject.name, name);
            assert_eq!(subject.part, part);
        }
    }
}
