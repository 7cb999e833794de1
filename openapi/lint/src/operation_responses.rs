//! Checks that operations have success and error responses.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::{Operation, Status};

pub(super) const SUCCESS: Rule = Rule {
    id: "operation-without-success",
    default: Level::Warning,
    summary: "Each operation has a success response",
    why: "Otherwise a client does not know what it gets. Any 2xx or 3xx response counts, and so \
          does `default`.",
    remedy: "Document the response to a successful request.",
    wrong: "\
paths:
  /things: {get: {responses: {'404': {description: None.}}}}",
    right: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    check: Check::Document(check_success),
};

pub(super) const ERROR: Rule = Rule {
    id: "operation-without-error",
    default: Level::Warning,
    summary: "Each operation has a response for client errors",
    why: "Every request can be wrong. Any 4xx response counts, and so does `default`.",
    remedy: "Document at least the response to a malformed request.",
    wrong: "\
paths:
  /things: {get: {responses: {'200': {description: All.}}}}",
    right: "\
paths:
  /things: {get: {responses: {'200': {description: All.}, '400': {description: Malformed.}}}}",
    check: Check::Document(check_error),
};

fn check_success(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_without(context, &SUCCESS, &[2, 3], "success", diagnostics);
}

fn check_error(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_without(context, &ERROR, &[4], "client errors", diagnostics);
}

fn each_without(
    context: &Context<'_>,
    rule: &Rule,
    classes: &[u8],
    of_what: &str,
    diagnostics: &mut Diagnostics,
) {
    for operation in context.operations() {
        if statuses(operation).any(|status| is_of(status, classes)) {
            continue;
        }
        let node: &Node = operation.at.node;
        let span = node
            .get("responses")
            .or(node.get("operationId"))
            .unwrap_or(node)
            .span;
        let title = format!("`{}` has no response for {of_what}", operation.label());
        diagnostics.push(rule.finding(title).at(span, "").help(rule.remedy));
    }
}

fn statuses(operation: &Operation<'_>) -> impl Iterator<Item = Status> {
    let responses = operation.at.node.get("responses").into_iter();
    responses
        .flat_map(Node::entries)
        .filter_map(|entry| Status::parse(&entry.key))
}

fn is_of(status: Status, classes: &[u8]) -> bool {
    match status {
        Status::Code(code) => classes.iter().any(|class| u16::from(*class) == code / 100),
        Status::Range(class) => classes.contains(&class),
        Status::Default => true,
    }
}
