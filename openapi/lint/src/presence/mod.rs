//! Presence: checks for missing descriptions and similar fields.

pub(super) mod info;
pub(super) mod operation;
pub(super) mod others;

use super::context::Context;
use super::rule::Rule;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::{Node, Value};
use openapi_document::source::Span;

/// Whether a field is missing or empty.
fn lacks(node: &Node, field: &str) -> bool {
    node.get(field).is_none_or(|value| match &value.value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        _ => false,
    })
}

/// Reports each object of a kind that lacks a field.
fn missing(
    context: &Context<'_>,
    rule: &Rule,
    kind: Kind,
    field: &str,
    diagnostics: &mut Diagnostics,
) {
    for object in context.of(kind).filter(|object| lacks(object.node, field)) {
        let name = object.node.get("name").and_then(Node::as_str);
        let fallback = || format!("{kind:?}").to_lowercase();
        let name = name.map_or_else(fallback, str::to_owned);
        report(rule, &name, object.node.span, field, diagnostics);
    }
}

fn report(rule: &Rule, name: &str, span: Span, field: &str, diagnostics: &mut Diagnostics) {
    let finding = rule.finding(format!("`{name}` has no `{field}`"));
    diagnostics.push(finding.at(span, "").help(rule.remedy));
}
