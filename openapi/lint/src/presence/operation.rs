//! Checks that operations have a summary, a description, an id and tags.

use super::{lacks, report};
use crate::context::Context;
use crate::level::Level;
use crate::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::Operation;

pub(crate) const SUMMARY: Rule = Rule {
    id: "operation-without-summary",
    default: Level::Warning,
    summary: "Each operation has a `summary`",
    why: "Lists of operations show it, and the documentation of generated code begins with it.",
    remedy: "Write `summary`.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {summary: List the things, responses: {'200': {description: All.}}}}",
    check: Check::Document(check_summary),
};

pub(crate) const DESCRIPTION: Rule = Rule {
    id: "operation-without-description",
    default: Level::Off,
    summary: "Each operation has a `description`",
    why: "It has room for details that do not fit in the summary. The rule is off because many \
          summaries say enough.",
    remedy: "Write `description`.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {description: The newest come first., responses: {'200': {description: All.}}}}",
    check: Check::Document(check_description),
};

pub(crate) const ID: Rule = Rule {
    id: "operation-without-id",
    default: Level::Warning,
    summary: "Each operation has an `operationId`",
    why: "Links, scenarios and generated code name an operation by it. A name derived from the \
          path changes with the path.",
    remedy: "Write an `operationId` that never changes.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {operationId: listThings, responses: {'200': {description: All.}}}}",
    check: Check::Document(check_id),
};

pub(crate) const TAG: Rule = Rule {
    id: "operation-without-tag",
    default: Level::Warning,
    summary: "Each operation has a tag",
    why: "Documentation and generated code are divided by tags; an untagged operation belongs to \
          no part.",
    remedy: "Write `tags` with the area to which the operation belongs.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {tags: [things], responses: {'200': {description: All.}}}}",
    check: Check::Document(check_tag),
};

fn check_summary(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, diagnostics, &SUMMARY, "summary");
}

fn check_description(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, diagnostics, &DESCRIPTION, "description");
}

fn check_id(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, diagnostics, &ID, "operationId");
}

fn check_tag(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        if operation.tags().is_empty() {
            report(
                &TAG,
                &operation.label(),
                span(operation),
                "tags",
                diagnostics,
            );
        }
    }
}

fn each(context: &Context<'_>, diagnostics: &mut Diagnostics, rule: &Rule, field: &str) {
    for operation in context.operations() {
        if lacks(operation.at.node, field) {
            report(
                rule,
                &operation.label(),
                span(operation),
                field,
                diagnostics,
            );
        }
    }
}

/// The place of the operationId, or of the operation if it has none.
fn span(operation: &Operation<'_>) -> openapi_document::source::Span {
    let node: &Node = operation.at.node;
    node.get("operationId").unwrap_or(node).span
}
