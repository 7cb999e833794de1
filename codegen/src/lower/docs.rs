//! What a document says to people.

use openapi_document::node::Node;

use crate::ir::{Docs, Shape};

/// The documentation of an object.
pub(super) fn of(node: &Node) -> Docs {
    let text = |key: &str| {
        let text = node.get(key)?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let told = text("description")
        .or_else(|| text("summary"))
        .or_else(|| text("title"));
    Docs {
        text: match (told, default(node)) {
            (Some(told), Some(default)) => Some(format!("{told}\n\n{default}")),
            (told, default) => told.or(default),
        },
        deprecated: node.get("deprecated").and_then(Node::as_bool) == Some(true),
    }
}

/// `Default: 10.`
fn default(node: &Node) -> Option<String> {
    let schema = node.get("schema").filter(|_| node.get("in").is_some());
    let value = schema.unwrap_or(node).get("default")?;
    let scalar = value.as_mapping().is_none() && value.as_sequence().is_none();
    (scalar && !value.is_null()).then(|| format!("Default: `{}`.", value.to_json()))
}

/// The documentation of an operation: its summary, then its description.
pub(super) fn of_operation(node: &Node) -> Docs {
    let text = |key: &str| Some(node.get(key)?.as_str()?.trim()).filter(|text| !text.is_empty());
    let text = match (text("summary"), text("description")) {
        (Some(summary), Some(description)) if !description.starts_with(summary) => {
            Some(format!("{summary}\n\n{description}"))
        }
        (summary, description) => description.or(summary).map(str::to_owned),
    };
    Docs { text, ..of(node) }
}

/// Whether the document marks a value as secret.
pub(super) fn is_sensitive(node: &Node) -> bool {
    let flagged = node.get("x-sensitive").and_then(Node::as_bool) == Some(true);
    let password = node.get("format").and_then(Node::as_str) == Some("password");
    flagged || password
}

/// The shape without documentation. Equal inline schemas have equal shapes.
pub(super) fn without(shape: &Shape) -> Shape {
    let mut shape = shape.clone();
    match &mut shape {
        Shape::Struct(object) => {
            for field in &mut object.fields {
                field.docs = Docs::default();
            }
        }
        Shape::Choice(choice) => {
            for value in &mut choice.values {
                value.docs = Docs::default();
            }
        }
        Shape::Union(_) | Shape::Wrapper(_) | Shape::Parts(_) | Shape::Events(_) => {}
    }
    shape
}
