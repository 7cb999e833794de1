//! Both: an operation that exists on both sides.

use std::rc::Rc;

use openapi_document::provenance;
use openapi_document::view::Operation;

use super::report::{Finding, Scope};
use super::side::Mark;

/// An operation in the base and in the revision.
#[derive(Debug, Clone)]
pub(super) struct Both<'d> {
    pub(super) base: Operation<'d>,
    pub(super) revision: Operation<'d>,
    pub(super) scope: Rc<Scope>,
    /// The provenance level of the operation in the base.
    pub(super) provenance: provenance::Level,
    /// Whether the service sends the request.
    pub(super) is_callback: bool,
}

impl<'d> Both<'d> {
    /// A finding about the operation, with its places on both sides.
    pub(super) fn finding(&self, id: &str, subject: &str, phrase: &str) -> Finding<'d> {
        let title = format!("{subject} {phrase}");
        Finding {
            provenance: self.provenance,
            base: Some((mark(&self.base), "")),
            revision: Some((mark(&self.revision), "")),
            ..Finding::new(id, &self.scope, subject, title)
        }
    }
}

/// An operation, marked at its method.
pub(super) fn mark<'d>(operation: &Operation<'d>) -> Mark<'d> {
    let node = operation.at.node;
    let entry = operation
        .item
        .node
        .entries()
        .find(|entry| std::ptr::eq(&raw const entry.value, node));
    Mark {
        node,
        span: entry.map_or(node.span, |entry| entry.key_span),
    }
}

/// The name of an operation for people: `GET /things`.
pub(super) fn name(operation: &Operation<'_>) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// Removes the names of parameters from a path.
pub(super) fn template(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => inside = true,
            '}' if inside => {
                inside = false;
                out.push_str("{}");
            }
            _ if inside => {}
            _ => out.push(c),
        }
    }
    out
}
