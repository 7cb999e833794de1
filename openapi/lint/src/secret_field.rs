//! Checks that fields with secret-like names have `x-sensitive`.

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
    summary: "A property or parameter with a secret-like name has `x-sensitive`",
    why: "Tools never print, store or report values that are marked with `x-sensitive: true`. The \
          rule applies to documents that use the mark anywhere.",
    remedy: "Write `x-sensitive: true`, or `x-sensitive: false` if the value is public.",
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

/// The last words of secret names, one name per line.
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
            let finding = RULE.finding(format!("`{text}` has a secret-like name"));
            diagnostics.push(finding.at(name.span, "").help(RULE.remedy));
        }
    }
}

fn check_property<'d>(context: &Context<'d>, entry: &'d Entry, diagnostics: &mut Diagnostics) {
    if !is_secret(&entry.key) || is_marked(context, &entry.value) || !holds_text(entry) {
        return;
    }
    let finding = RULE.finding(format!("`{}` has a secret-like name", entry.key));
    let sources = &context.document.sources;
    let edit = insert_key(sources, &entry.value, "x-sensitive", "true");
    let fix = edit.map(|edit| safe("mark it with `x-sensitive`", edit));
    diagnostics.push(finding.at(entry.key_span, "").help(RULE.remedy).fix(fix));
}

fn is_secret(name: &str) -> bool {
    let words = words(name);
    let mut secrets = SECRETS.lines().map(str::split_whitespace);
    secrets.any(|secret| words.ends_with(&secret.map(str::to_owned).collect::<Vec<_>>()))
}

/// Whether the schema, or the schema it refers to, has `x-sensitive`.
fn is_marked<'d>(context: &Context<'d>, schema: &'d Node) -> bool {
    let end = context.resolve(schema);
    schema.get("x-sensitive").is_some() || end.is_some_and(|end| end.get("x-sensitive").is_some())
}

/// Whether a value can be the secret itself; an object or array only contains it.
fn holds_text(entry: &Entry) -> bool {
    let kind = entry.value.get("type").and_then(Node::as_str);
    entry.value.reference().is_none() && !matches!(kind, Some("object" | "array" | "boolean"))
}
