//! Checks objects of 3.0 documents with the table of field types, and with the crate `openapiv3`.

use super::context::Context;
use super::field_types;
use super::level::Level;
use super::rule::{Check, Rule};
use super::second_reader::Refusal;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::{Kind, Shape};
use openapi_document::node::{Node, Value};
use openapi_document::object::Object;
use openapi_document::source::Span;

pub(super) const RULE: Rule = Rule {
    id: "invalid-structure",
    default: Level::Error,
    summary: "Each value has the type that the specification requires",
    why: "Tools drop or refuse a value of another type, each in a different way.",
    remedy: "Write a value of the required type.",
    wrong: "\
components:
  schemas:
    Thing: {type: object, required: id}",
    right: "\
components:
  schemas:
    Thing: {type: object, required: [id], properties: {id: {type: string}}}",
    check: Check::Document(check),
};

pub(super) const REFUSED: Rule = Rule {
    id: "refused-by-openapiv3",
    default: Level::Info,
    summary: "The Rust crate `openapiv3` can parse each object of a 3.0 document",
    why: "The crate is a second parser. If it refuses an object that the specification allows, \
          the crate has a gap, and programs that use it fail.",
    remedy: "No change is needed; write the object differently if such programs read the \
             document.",
    wrong: "\
paths:
  /things:
    get:
      responses: {}
      callbacks: {changed: {$ref: '#/components/callbacks/Changed'}}
components:
  callbacks: {Changed: {'{$request.query.url}': {post: {responses: {}}}}}",
    right: "\
paths:
  /things:
    get:
      responses: {}
      callbacks: {changed: {'{$request.query.url}': {post: {responses: {}}}}}",
    check: Check::Document(check_refused),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.is_30() {
        return;
    }
    let mut refusals = context.refusals().iter().peekable();
    for (index, object) in context.objects().iter().enumerate() {
        let refusal = refusals.next_if(|(place, _)| *place == index);
        let refusal = refusal.map(|(_, refusal)| refusal);
        if let Some((mut message, span)) = mistake(object, refusal) {
            if let Some(refusal) = refusal {
                message = format!("{message} (openapiv3: {})", refusal.message);
            }
            let title = format!("this is not a valid {:?} object: {message}", object.kind);
            diagnostics.push(RULE.finding(title).at(span, ""));
        }
    }
}

fn check_refused(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (index, refusal) in context.refusals() {
        let object = &context.objects()[*index];
        if mistake(object, Some(refusal)).is_some() {
            continue;
        }
        let (kind, message) = (object.kind, &refusal.message);
        let title = format!("openapiv3 cannot read this {kind:?} object: {message}");
        let finding = REFUSED.finding(title).at(refusal.span, "");
        diagnostics.push(finding.help(REFUSED.remedy));
    }
}

/// The error in an object by the specification. Its fields are checked only if `openapiv3` refuses
/// the object.
fn mistake(object: &Object<'_>, refusal: Option<&Refusal>) -> Option<(String, Span)> {
    let node = object.node;
    if object.is_reference() {
        return None;
    }
    if !matches!(node.value, Value::Mapping(_)) {
        let is_flag = object.field == "additionalProperties" && node.as_bool().is_some();
        let message = format!("expected an object, got {}", node.type_name());
        return (!is_flag).then_some((message, node.span));
    }
    if let Some(found) = wrong_container(node, object.kind) {
        return Some(found);
    }
    field_types::mistake(object, refusal?.field.as_deref())
}

/// A field that should be a list or map of objects, but is not.
fn wrong_container(node: &Node, kind: Kind) -> Option<(String, Span)> {
    node.entries().find_map(|entry| {
        let (expected, fits) = match kind.shape(&entry.key)? {
            Shape::List(_) => ("an array", entry.value.as_sequence().is_some()),
            Shape::Map(_) => ("an object", entry.value.as_mapping().is_some()),
            Shape::One(_) => return None,
        };
        let message = || {
            format!(
                "`{}` must be {expected}, not {}",
                entry.key,
                entry.value.type_name()
            )
        };
        (!fits).then(|| (message(), entry.value.span))
    })
}
