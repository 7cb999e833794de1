//! Messages of the service whose receiver cannot trust them.

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
    summary: "What the service sends by itself has an id, a time and a signature",
    why: "Without a signature anybody can send it, without a time it can be sent again for ever, \
          and without an id nobody sees that it came twice.",
    mend: "Declare headers for the three (or properties of the body for id and time); write \
          `x-unsigned: true` on the operation where its receiver cannot act on it.",
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

/// What a receiver needs, and the words that tell which header or property it is.
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
            diagnostics.push(RULE.finding(title).at(node.span, "").help(RULE.mend));
        }
    }
}

/// The words of the names of its headers, and of the properties of its body.
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
