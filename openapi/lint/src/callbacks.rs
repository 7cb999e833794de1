//! Checks for errors in callbacks and webhooks.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const NESTED: Rule = Rule {
    id: "callback-in-callback",
    default: Level::Warning,
    summary: "Operations that the service sends have no callbacks",
    why: "Callbacks belong to operations that a client calls. A receiver of a callback or webhook \
          does not offer any.",
    remedy: "Move the callbacks to an operation under `paths`.",
    wrong: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done: {'{$request.body#/url}': {post: {callbacks: {again: {'{$request.body#/url}': {post: {responses: {}}}}}, responses: {}}}}",
    right: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done: {'{$request.body#/url}': {post: {responses: {}}}}",
    check: Check::Document(check_nested),
};

pub(super) const SERVER: Rule = Rule {
    id: "server-in-webhook",
    default: Level::Warning,
    summary: "A webhook names no servers",
    why: "The service sends a webhook to an address that the receiver chose.",
    remedy: "Remove `servers`.",
    wrong: "\
openapi: 3.1.0
webhooks:
  done: {post: {servers: [{url: 'https://things.test'}], responses: {}}}",
    right: "\
openapi: 3.1.0
webhooks:
  done: {post: {responses: {}}}",
    check: Check::Document(check_servers),
};

pub(super) const EXPRESSION: Rule = Rule {
    id: "malformed-runtime-expression",
    default: Level::Warning,
    summary: "Each runtime expression follows the specification",
    why: "A service cannot evaluate a malformed expression: it never sends the callback, and the \
          link has no value.",
    remedy: "Write `$url`, `$method`, `$statusCode`, or `$request.` or `$response.` with \
             `header.`, `query.`, `path.` or `body#`.",
    wrong: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done: {'{$request.bdy#/url}': {post: {responses: {}}}}",
    right: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done: {'{$request.body#/url}': {post: {responses: {}}}}",
    check: Check::Document(check_expressions),
};

fn check_nested(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for callback in context.sent() {
        if let Some(nested) = callback.operation.at.node.get("callbacks") {
            let title = format!(
                "the service sends `{}`, but the operation has callbacks",
                callback.name
            );
            diagnostics.push(
                NESTED
                    .finding(title)
                    .at(nested.span, "")
                    .help(NESTED.remedy),
            );
        }
    }
}

fn check_servers(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for item in context
        .of(Kind::PathItem)
        .filter(|item| item.field == "webhooks")
    {
        let operations = item.node.entries().map(|entry| &entry.value);
        let owners = operations.chain([item.node]);
        for servers in owners.filter_map(|owner| owner.get("servers")) {
            let title = format!(
                "the webhook `{}` has `servers`",
                item.name().unwrap_or_default()
            );
            diagnostics.push(
                SERVER
                    .finding(title)
                    .at(servers.span, "")
                    .help(SERVER.remedy),
            );
        }
    }
}

fn check_expressions(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for callback in context.of(Kind::Callback) {
        for entry in callback
            .node
            .entries()
            .filter(|entry| !entry.key.starts_with("x-"))
        {
            let embedded = entry
                .key
                .split('{')
                .skip(1)
                .map(|rest| rest.split('}').next());
            for text in embedded.flatten().filter(|text| !is_expression(text)) {
                let finding = EXPRESSION.finding(format!("`{text}` is not a runtime expression"));
                diagnostics.push(finding.at(entry.key_span, "").help(EXPRESSION.remedy));
            }
        }
    }
    for link in context.of(Kind::Link) {
        let named = link
            .node
            .get("parameters")
            .into_iter()
            .flat_map(Node::entries);
        let values = named
            .map(|entry| &entry.value)
            .chain(link.node.get("requestBody"));
        for value in values {
            let text = value.as_str().unwrap_or_default();
            if text.starts_with('$') && !is_expression(text) {
                let finding = EXPRESSION.finding(format!("`{text}` is not a runtime expression"));
                diagnostics.push(finding.at(value.span, "").help(EXPRESSION.remedy));
            }
        }
    }
}

fn is_expression(text: &str) -> bool {
    if ["$url", "$method", "$statusCode"].contains(&text) {
        return true;
    }
    let source = text
        .strip_prefix("$request.")
        .or(text.strip_prefix("$response."));
    let Some(source) = source else {
        return false;
    };
    if let Some(("header" | "query" | "path", name)) = source.split_once('.') {
        return !name.is_empty();
    }
    let rest = source.strip_prefix("body");
    rest.is_some_and(|rest| rest.is_empty() || rest == "#" || rest.starts_with("#/"))
}
