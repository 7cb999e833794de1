//! Fields that look secret and are not marked so.

use super::context::Context;
use super::edit::{insert_key, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use super::words::words;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::{Entry, Node};

pub(super) const RULE: Rule = Rule {
    id: "unmarked-secret",
    default: Level::Warning,
    summary: "A property or parameter that looks secret says whether it is",
    why: "What is marked with `x-sensitive` is never printed, stored or reported. A document \
          that marks anything is taken to mark all of it.",
    mend: "Write `x-sensitive: true`, or `x-sensitive: false` where the value may be seen.",
    wrong: "\
components:
  schemas:
    Card:
      type: object
      properties:
        token: {type: string, x-sensitive: true}
        securityCode: {type: string}",
    right: "\
components:
  schemas:
    Card:
      type: object
      properties:
        token: {type: string, x-sensitive: true}
        securityCode: {type: string, x-sensitive: true}",
    check: Check::Document(check),
};

/// The names of secrets, a line for each with its last words.
const SECRETS: &str = include_str!("secret_names.txt");

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut nodes = context.objects().iter().map(|object| object.node);
    if !nodes.any(|node| node.get("x-sensitive").is_some()) {
        return;
    }
    for schema in context.of(Kind::Schema) {
        let properties = schema.node.get("properties");
        for entry in properties.into_iter().flat_map(Node::entries) {
            check_property(context, entry, diagnostics);
        }
    }
    for parameter in context.of(Kind::Parameter) {
        let Some(name) = parameter.node.get("name") else {
            continue;
        };
        let schema = parameter.node.get("schema");
        let is_marked = schema.is_some_and(|schema| is_marked(context, schema));
        let text = name.as_str().unwrap_or_default();
        if is_secret(text) && !is_marked && parameter.node.get("x-sensitive").is_none() {
            let finding = RULE.finding(format!("`{text}` looks secret"));
            diagnostics.push(finding.at(name.span, "").help(RULE.mend));
        }
    }
}

fn check_property<'d>(context: &Context<'d>, entry: &'d Entry, diagnostics: &mut Diagnostics) {
    if !is_secret(&entry.key) || is_marked(context, &entry.value) || !holds_text(entry) {
        return;
    }
    let finding = RULE.finding(format!("`{}` looks secret", entry.key));
    let sources = &context.document.sources;
    let edit = insert_key(sources, &entry.value, "x-sensitive", "true");
    let fix = edit.map(|edit| safe("mark it with `x-sensitive`", edit));
    diagnostics.push(finding.at(entry.key_span, "").help(RULE.mend).fix(fix));
}

fn is_secret(name: &str) -> bool {
    let words = words(name);
    let mut secrets = SECRETS.lines().map(str::split_whitespace);
    secrets.any(|secret| words.ends_with(&secret.map(str::to_owned).collect::<Vec<_>>()))
}

/// Whether it says of itself, or of what it refers to, whether it is secret.
fn is_marked<'d>(context: &Context<'d>, schema: &'d Node) -> bool {
    let end = context.resolve(schema);
    schema.get("x-sensitive").is_some() || end.is_some_and(|end| end.get("x-sensitive").is_some())
}

/// Whether a value can be the secret itself: an object of that name only holds it.
fn holds_text(entry: &Entry) -> bool {
    let kind = entry.value.get("type").and_then(Node::as_str);
    entry.value.reference().is_none() && !matches!(kind, Some("object" | "array" | "boolean"))
}
