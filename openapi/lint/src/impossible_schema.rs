//! Checks for schemas with contradicting parts, which no value satisfies.

use super::bounds::contradicting_bounds;
use super::context::Context;
use super::contradiction::Contradiction;
use super::level::Level;
use super::rule::{Check, Rule};
use super::schema_type::types;
use openapi_document::diagnostic::Diagnostic;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const RULE: Rule = Rule {
    id: "impossible-schema",
    default: Level::Error,
    summary: "The parts of a schema do not contradict each other",
    why: "If `minLength` exceeds `maxLength`, or `allOf` combines a string with a number, no \
          value is valid: every request is refused, and every response is wrong.",
    remedy: "Correct one of the two parts that the finding points at.",
    wrong: "\
components:
  schemas:
    Size: {allOf: [{type: string}, {type: integer}]}",
    right: "\
components:
  schemas:
    Size: {allOf: [{type: string}, {minLength: 1}]}",
    check: Check::Document(check),
};

/// The maximum depth of nested `allOf`.
const DEPTH: usize = 16;

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let mut parts = Vec::new();
        collect(context, schema.node, DEPTH, &mut parts);
        let contradictions = [
            contradicting_types(&parts),
            contradicting_enums(&parts),
            closed_against_required(&parts),
        ];
        let bounds = contradicting_bounds(&parts);
        for (title, here, there) in contradictions.into_iter().flatten().chain(bounds) {
            diagnostics.push(report(title, here, there));
        }
    }
}

fn report(title: String, here: &Node, there: &Node) -> Diagnostic {
    let finding = RULE.finding(title).at(here.span, "this one");
    finding
        .also(there.span, "against this one")
        .help(RULE.remedy)
}

/// Collects a schema and the parts of its `allOf`.
fn collect<'d>(context: &Context<'d>, schema: &'d Node, depth: usize, parts: &mut Vec<&'d Node>) {
    let Some(schema) = context.resolve(schema).filter(|_| depth > 0) else {
        return;
    };
    if parts.iter().any(|part| std::ptr::eq(*part, schema)) {
        return;
    }
    parts.push(schema);
    for part in schema.get("allOf").into_iter().flat_map(Node::items) {
        collect(context, part, depth - 1, parts);
    }
}

fn contradicting_types<'d>(parts: &[&'d Node]) -> Option<Contradiction<'d>> {
    let mut all: Option<(Vec<&str>, &Node)> = None;
    for part in parts {
        let (Some(node), mut names) = (part.get("type"), types(part)) else {
            continue;
        };
        if part.get("nullable").and_then(Node::as_bool) == Some(true) {
            names.push("null");
        }
        let Some((before, there)) = all else {
            all = Some((names, node));
            continue;
        };
        let both: Vec<_> = before
            .iter()
            .filter_map(|one| common(one, &names))
            .collect();
        if both.is_empty() && !before.is_empty() && !names.is_empty() {
            let title = format!(
                "no value is both {} and {}",
                before.join(" or "),
                names.join(" or ")
            );
            return Some((title, node, there));
        }
        all = Some((both, node));
    }
    None
}

/// The common type of a type and a list; an integer is a number.
fn common<'d>(one: &'d str, others: &[&'d str]) -> Option<&'d str> {
    match one {
        _ if others.contains(&one) => Some(one),
        "number" if others.contains(&"integer") => Some("integer"),
        "integer" if others.contains(&"number") => Some("integer"),
        _ => None,
    }
}

fn contradicting_enums<'d>(parts: &[&'d Node]) -> Option<Contradiction<'d>> {
    let mut all: Option<(Vec<&Node>, &Node)> = None;
    for values in parts.iter().filter_map(|part| part.get("enum")) {
        let Some((before, there)) = all else {
            all = Some((values.items().collect(), values));
            continue;
        };
        let is_listed = |value: &&Node| values.items().any(|other| other.same_value(value));
        let both: Vec<_> = before.into_iter().filter(is_listed).collect();
        if both.is_empty() {
            return Some((
                "no value is in both of these `enum`s".to_owned(),
                values,
                there,
            ));
        }
        all = Some((both, values));
    }
    None
}

/// A part with `additionalProperties: false` that lacks a property that another part requires.
fn closed_against_required<'d>(parts: &[&'d Node]) -> Option<Contradiction<'d>> {
    for closed in parts {
        let others = closed.get("additionalProperties");
        let Some(others) = others.filter(|others| others.as_bool() == Some(false)) else {
            continue;
        };
        let properties = closed.get("properties");
        let defines = |name: &str| properties.is_some_and(|all| all.get(name).is_some());
        let is_open = closed.get("patternProperties").is_some();
        let required = parts.iter().filter_map(|part| part.get("required"));
        let mut names = required.flat_map(Node::items);
        let missing = names.find(|name| name.as_str().is_some_and(|name| !defines(name)));
        if let Some(name) = missing.filter(|_| !is_open) {
            let text = name.as_str().unwrap_or_default();
            return Some((
                format!("`{text}` is required, but not allowed"),
                name,
                others,
            ));
        }
    }
    None
}
