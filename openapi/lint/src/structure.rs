//! Objects that are not what the specification says: by our own table of fields, and by what the crate
//! `openapiv3` says of each object of a document of 3.0.

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
    summary: "Each key has a value of the type the specification gives it",
    why: "A value of the wrong type is dropped or refused, by each reader in its own way.",
    mend: "Write the type the specification asks for.",
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
    summary: "The Rust crate `openapiv3` reads each object of a document of 3.0",
    why: "The crate is a second reader. What it refuses though the specification allows it is a gap \
          of the crate, and stops the programs that read documents with it.",
    mend: "Nothing has to be mended; write it in another way where such programs read the document.",
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
            let title = format!("this is no {:?} object: {message}", object.kind);
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
        diagnostics.push(finding.help(REFUSED.mend));
    }
}

/// What is wrong with an object by the specification; its own fields are looked at where `openapiv3` refuses it.
fn mistake(object: &Object<'_>, refusal: Option<&Refusal>) -> Option<(String, Span)> {
    let node = object.node;
    if object.is_reference() {
        return None;
    }
    if !matches!(node.value, Value::Mapping(_)) {
        let is_flag = object.field == "additionalProperties" && node.as_bool().is_some();
        let message = format!("an object is expected, not {}", node.type_name());
        return (!is_flag).then_some((message, node.span));
    }
    if let Some(found) = wrong_container(node, object.kind) {
        return Some(found);
    }
    field_types::mistake(object, refusal?.field.as_deref())
}

/// A list or map of objects that is neither.
fn wrong_container(node: &Node, kind: Kind) -> Option<(String, Span)> {
    node.entries().find_map(|entry| {
        let (expected, fits) = match kind.shape(&entry.key)? {
            Shape::List(_) => ("an array", entry.value.as_sequence().is_some()),
            Shape::Map(_) => ("an object", entry.value.as_mapping().is_some()),
            Shape::One(_) => return None,
        };
        let message = || {
            format!(
                "`{}` is expected to be {expected}, not {}",
                entry.key,
                entry.value.type_name()
            )
        };
        (!fits).then(|| (message(), entry.value.span))
    })
}
