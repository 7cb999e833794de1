//! Checks that operations with an amount are safe to repeat.

use crate::context::Subject;
use crate::level::Level;
use crate::rule::{Check, Rule};
use crate::words::words;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::Node;
use openapi_document::view::{Located, Method, Operation};

pub(super) const RULE: Rule = Rule {
    id: "behaviour-money-without-key",
    default: Level::Error,
    summary: "Each operation that takes an amount has a natural key, or is marked as safe to \
              repeat",
    why: "A client sends a request again if it gets no response. Without a key, the money moves \
          twice. The rule considers properties with a decimal string and an amount-like name. \
          These protect an operation: an entry in `naturalKeys`, a header `Idempotency-Key` or \
          one with `x-idempotency-key`, or an event of a machine, which happens only once.",
    remedy: "Name the property that the client makes unique under `naturalKeys`; or write \
             `x-idempotent: true` on an operation that is safe to repeat.",
    wrong: "naturalKeys: []",
    right: "naturalKeys: [{operation: pay, property: number, collection: payments}]",
    check: Check::Behaviour(check),
};

fn check(subject: &Subject<'_>, diagnostics: &mut Diagnostics) {
    for operation in subject.document.operations() {
        let Some(amount) = amount(subject, &operation) else {
            continue;
        };
        if operation.method == Method::Post && !is_safe_to_repeat(subject, &operation) {
            let title = format!("a repeated `{}` moves `{amount}` again", operation.label());
            let finding = RULE.finding(title).at(subject.anchor(), "");
            diagnostics.push(finding.help(RULE.remedy));
        }
    }
}

/// The name of the amount in the body of an operation.
fn amount<'d>(subject: &Subject<'d>, operation: &Operation<'d>) -> Option<&'d str> {
    let body = operation.request_body()?;
    let schema = body.content().into_iter().find_map(|one| one.schema())?;
    amount_in(subject, &schema, 8)
}

fn amount_in<'d>(subject: &Subject<'d>, schema: &Located<'d>, depth: usize) -> Option<&'d str> {
    let schema = subject
        .document
        .resolve(schema)
        .ok()
        .filter(|_| depth > 0)?;
    let properties = schema.get("properties");
    let named = properties
        .iter()
        .flat_map(Located::entries)
        .find(|(entry, at)| {
            let decimal = subject.document.resolve(at).ok();
            let is_decimal =
                |at: Located<'_>| at.node.get("format").and_then(Node::as_str) == Some("decimal");
            words(&entry.key)
                .last()
                .is_some_and(|word| word == "amount")
                && decimal.is_some_and(is_decimal)
        });
    if let Some((entry, _)) = named {
        return Some(&entry.key);
    }
    let parts = schema.get("allOf")?;
    parts
        .items()
        .find_map(|part| amount_in(subject, &part, depth - 1))
}

fn is_safe_to_repeat(subject: &Subject<'_>, operation: &Operation<'_>) -> bool {
    let id = operation.id().unwrap_or_default();
    let flag = |key| operation.at.node.get(key).and_then(Node::as_bool);
    let says = flag("x-idempotent").is_some() || flag("x-moves-money") == Some(false);
    let has_header = operation.parameters().iter().any(|one| {
        let is_key = one.at.node.get("x-idempotency-key").and_then(Node::as_bool) == Some(true);
        is_key || one.name.eq_ignore_ascii_case("idempotency-key")
    });
    let behaviour = subject.behaviour;
    let has_key = behaviour
        .natural_keys
        .iter()
        .any(|key| key.operation.text == id);
    let mut events = behaviour.records.iter().flat_map(|record| &record.events);
    let is_event = events.any(|event| event.operations.iter().any(|(_, word)| word.text == id));
    says || has_header || has_key || is_event
}
