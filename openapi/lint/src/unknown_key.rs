//! Checks for keys that the specification does not have.

use super::context::Context;
use super::edit::{rename_key, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::{Diagnostic, Diagnostics};
use openapi_document::grammar::Kind;
use openapi_document::spelling::nearest;

pub(super) const RULE: Rule = Rule {
    id: "unknown-key",
    default: Level::Error,
    summary: "Each key is known to the specification, or begins with `x-`",
    why: "Tools ignore unknown keys, so a mistyped key has no effect.",
    remedy: "Correct the spelling, or add the prefix `x-`.",
    wrong: "\
paths:
  /things: {get: {operationID: readThings, responses: {}}}",
    right: "\
paths:
  /things: {get: {operationId: readThings, responses: {}}}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let is_30 = context.is_30();
    for object in context.objects() {
        let kind = object.kind;
        if object.is_reference() {
            continue;
        }
        for entry in object.node.entries() {
            let key = entry.key.as_str();
            let later = is_30 && kind.since_31(key);
            let has_ended = !is_30 && kind == Kind::Schema && key == "nullable";
            if kind.shape(key).is_some() && !later && !has_ended {
                continue;
            }
            let diagnostic = if !is_30 && kind == Kind::Schema {
                Diagnostic::warning(RULE.id, format!("`{key}` is not a keyword of JSON Schema"))
            } else {
                RULE.finding(format!("`{key}` is not a key of {}", article(kind)))
            };
            let diagnostic = diagnostic.at(entry.key_span, "nothing reads this");
            let near = nearest(key, kind.field_names()).filter(|_| !later && !has_ended);
            let near = near.filter(|name| object.node.get(name).is_none());
            let sources = &context.document.sources;
            let edit = near.and_then(|name| rename_key(sources, entry, name));
            let fix = edit.map(|edit| safe("correct the spelling", edit));
            diagnostics.push(diagnostic.help(help(kind, key, later)).fix(fix));
        }
    }
}

fn help(kind: Kind, key: &str, later: bool) -> String {
    if key == "nullable" && kind == Kind::Schema {
        return "OpenAPI 3.1 has `null` among the types instead".to_owned();
    }
    if later {
        return format!("`{key}` came with OpenAPI 3.1, and this document says 3.0");
    }
    match nearest(key, kind.field_names()) {
        Some(name) => format!("did you mean `{name}`?"),
        _ if kind == Kind::Responses => "a response's key is a status such as '200'".to_owned(),
        _ if kind == Kind::Paths => "a path begins with a slash".to_owned(),
        _ => format!("remove it, or call it `x-{key}`"),
    }
}

fn article(kind: Kind) -> String {
    match kind {
        Kind::Document => "the document".to_owned(),
        Kind::Paths | Kind::Responses | Kind::Components => {
            format!("`{}`", format!("{kind:?}").to_lowercase())
        }
        _ => format!("the {kind:?} object"),
    }
}
