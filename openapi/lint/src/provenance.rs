//! Checks that operations have a valid provenance.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::provenance::{self, Provenance};

pub(super) const MISSING: Rule = Rule {
    id: "operation-without-provenance",
    default: Level::Error,
    summary: "Each operation has a provenance if the document uses provenance",
    why: "The level decides how much a difference weighs. A document that uses `x-provenance` \
          anywhere needs it for each operation.",
    remedy: "Write `x-provenance: {level: documented | inferred | proposed, section: …}`.",
    wrong: "\
paths:
  /a: {get: {x-provenance: {level: documented, section: A}, responses: {}}}
  /b: {get: {responses: {}}}",
    right: "\
paths:
  /a: {get: {x-provenance: {level: documented, section: A}, responses: {}}}
  /b: {get: {x-provenance: {level: proposed, section: B}, responses: {}}}",
    check: Check::Document(check_missing),
};

pub(super) const UNREADABLE: Rule = Rule {
    id: "unreadable-provenance",
    default: Level::Error,
    summary: "A provenance has a level (documented, inferred or proposed) and a section",
    why: "Tools ignore an unknown level.",
    remedy: "Write `level: documented`, `inferred` or `proposed`, and the `section`.",
    wrong: "\
paths:
  /a: {get: {x-provenance: {level: guessed, section: A}, responses: {}}}",
    right: "\
paths:
  /a: {get: {x-provenance: {level: inferred, section: A}, responses: {}}}",
    check: Check::Document(check_unreadable),
};

const HELP: &str = "write `x-provenance: {level: documented | inferred | proposed, section: …}`";

fn check_missing(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.has_provenance {
        return;
    }
    for operation in context.operations() {
        if operation.at.node.get("x-provenance").is_none() {
            let title = format!("`{}` has no provenance", operation.label());
            let span = operation
                .at
                .node
                .get("operationId")
                .unwrap_or(operation.at.node)
                .span;
            diagnostics.push(MISSING.finding(title).at(span, "this operation").help(HELP));
        }
    }
}

fn check_unreadable(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for object in context.objects() {
        let node = object.node;
        for key in ["x-provenance", "x-required-provenance"] {
            if let Some(value) = node.get(key) {
                check_value(key, value, diagnostics);
            }
        }
        if let Some(values) = node.get("x-extensible-enum-provenance") {
            values
                .entries()
                .for_each(|entry| check_value(&entry.key, &entry.value, diagnostics));
        }
    }
}

fn check_value(key: &str, value: &Node, diagnostics: &mut Diagnostics) {
    let level = value.get("level");
    let known = level
        .and_then(Node::as_str)
        .and_then(provenance::Level::parse);
    if known.is_none() {
        let span = level.unwrap_or(value).span;
        let title = format!("the provenance of `{key}` has no valid level");
        diagnostics.push(UNREADABLE.finding(title).at(span, "").help(HELP));
    } else if Provenance::read(value).is_some_and(|provenance| provenance.section.is_none()) {
        let title = format!("the provenance of `{key}` names no section");
        diagnostics.push(UNREADABLE.finding(title).at(value.span, "").help(HELP));
    }
}
