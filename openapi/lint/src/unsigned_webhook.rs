//! Checks that requests of the service have an id, a time and a signature.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use super::words::words;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::{Callback, Located, Operation};

pub(super) const RULE: Rule = Rule {
    id: "unsigned-webhook",
    default: Level::Warning,
    summary: "Requests that the service sends have an id, a time and a signature",
    why: "Without a signature, anyone can forge a request. Without a time, anyone can repeat it \
          later. Without an id, the receiver cannot detect a duplicate.",
    remedy: "Declare headers for all three (or body properties for id and time); write \
             `x-unsigned: true` on an operation on which the receiver does not act.",
    wrong: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              parameters:
                - {name: event-id, in: header, schema: {type: string}}
                - {name: event-time, in: header, schema: {type: string}}
                - {name: event-area, in: header, schema: {type: string}}
              responses: {}",
    right: "\
paths:
  /things:
    post:
      responses: {}
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              parameters:
                - {name: event-id, in: header, schema: {type: string}}
                - {name: event-time, in: header, schema: {type: string}}
                - {name: event-signature, in: header, schema: {type: string}}
              responses: {}",
    check: Check::Document(check),
};

/// What a receiver needs, with the words that identify its header or property.
const NEEDS: [(&str, &[&str]); 3] = [
    ("an id", &["id", "nonce", "uuid"]),
    (
        "a time",
        &["timestamp", "time", "date", "created", "at", "sent"],
    ),
    (
        "a signature",
        &["signature", "hmac", "mac", "jws", "digest"],
    ),
];

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for Callback {
        name, operation, ..
    } in context.sent()
    {
        let node = operation.at.node;
        if node.get("x-unsigned").and_then(Node::as_bool) == Some(true) {
            continue;
        }
        let names = names(context, operation);
        let has = |of: &[&str]| {
            names
                .iter()
                .any(|name| name.iter().any(|word| of.contains(&word.as_str())))
        };
        let missing = NEEDS
            .iter()
            .filter(|(_, of)| !has(of))
            .map(|(need, _)| *need);
        let missing: Vec<_> = missing.collect();
        if !missing.is_empty() {
            let title = format!("`{name}` has no header for {}", missing.join(" and "));
            diagnostics.push(RULE.finding(title).at(node.span, "").help(RULE.remedy));
        }
    }
}

/// The words in the names of its headers and body properties.
fn names<'d>(context: &Context<'d>, operation: &Operation<'d>) -> Vec<Vec<String>> {
    let parameters = operation.parameters();
    let mut names: Vec<_> = parameters.iter().map(|one| words(one.name)).collect();
    let body = operation.request_body();
    let media_types = body
        .iter()
        .flat_map(openapi_document::view::RequestBody::content);
    for schema in media_types.filter_map(|one| one.schema()) {
        let schema: Located<'d> = schema;
        let properties = context
            .resolve(schema.node)
            .and_then(|schema| schema.get("properties"));
        names.extend(
            properties
                .into_iter()
                .flat_map(Node::entries)
                .map(|entry| words(&entry.key)),
        );
    }
    names
}
