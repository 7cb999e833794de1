//! Checks for duplicate operationIds.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::source::Span;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-operation-id",
    default: Level::Error,
    summary: "Each operationId names one operation",
    why: "Tools name functions, links and scenarios by the operationId, and may choose either of \
          two operations with the same one.",
    remedy: "Give one of them another operationId.",
    wrong: "\
paths:
  /a: {get: {operationId: read, responses: {'200': {description: A.}}}}
  /b: {get: {operationId: read, responses: {'200': {description: B.}}}}",
    right: "\
paths:
  /a: {get: {operationId: readA, responses: {'200': {description: A.}}}}
  /b: {get: {operationId: readB, responses: {'200': {description: B.}}}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<&str, Span> = HashMap::new();
    let sent = context.sent().iter().map(|callback| &callback.operation);
    for operation in context.operations().iter().chain(sent) {
        let Some(id) = operation.at.node.get("operationId") else {
            continue;
        };
        let Some(name) = id.as_str() else { continue };
        let before = first.insert(name, id.span);
        // A callback that several operations refer to is one operation.
        if let Some(before) = before.filter(|before| *before != id.span) {
            let title = format!("two operations have the operationId `{name}`");
            let diagnostic = RULE
                .finding(title)
                .at(id.span, "the second")
                .also(before, "the first");
            diagnostics.push(diagnostic.help(RULE.remedy));
        }
    }
}
