//! Alternatives of a schema that cannot be told apart.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use super::schema_type::types;
use openapi_document::diagnostic::Diagnostic;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const REPEATED: Rule = Rule {
    id: "repeated-alternative",
    default: Level::Warning,
    summary: "A list of schemas has each schema once",
    why: "Of two equal alternatives of `oneOf` no value is exactly one; elsewhere the second \
          says nothing.",
    mend: "Remove one of the two.",
    wrong: "\
components:
  schemas:
    Size: {anyOf: [{type: string}, {type: string}]}",
    right: "\
components:
  schemas:
    Size: {anyOf: [{type: string}, {type: integer}]}",
    check: Check::Document(check_repeated),
};

pub(super) const OVERLAP: Rule = Rule {
    id: "overlapping-alternatives",
    default: Level::Warning,
    summary: "No value is always two alternatives of a `oneOf`",
    why: "`oneOf` means exactly one. Where `{}` fits two objects, or any text two texts, the \
          value is refused, and a reader cannot tell what it is. A `discriminator` tells them \
          apart where each alternative requires its property.",
    mend: "Require in each object what the others do not have, narrow the texts or numbers, or \
          write `anyOf`.",
    wrong: "\
components:
  schemas:
    Size: {oneOf: [{type: object, properties: {a: {type: string}}}, {type: object}]}",
    right: "\
components:
  schemas:
    Size: {oneOf: [{type: object, required: [a], properties: {a: {type: string}}}, {type: array, items: {}}]}",
    check: Check::Document(check_overlap),
};

fn check_repeated(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        for list in ["oneOf", "anyOf", "allOf"]
            .iter()
            .filter_map(|key| schema.node.get(key))
        {
            let items = list.as_sequence().unwrap_or_default();
            for (place, item) in items.iter().enumerate() {
                if let Some(before) = items[..place].iter().find(|other| other.same_value(item)) {
                    let finding = REPEATED.finding("this schema stands in the list twice");
                    let finding = finding.at(item.span, "again here");
                    diagnostics.push(finding.also(before.span, "first here").help(REPEATED.mend));
                }
            }
        }
    }
}

fn check_overlap(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let Some(list) = schema.node.get("oneOf") else {
            continue;
        };
        let mut first: Vec<(&str, &Node)> = Vec::new();
        for item in list.items() {
            let Some(taken) = context.resolve(item).and_then(takes_all) else {
                continue;
            };
            let before = first
                .iter()
                .find(|(name, _)| *name == taken)
                .map(|(_, node)| *node);
            // One finding for each list: what mends the first pair often mends all.
            if let Some(before) = before {
                diagnostics.push(report(taken, before, item));
                break;
            }
            first.push((taken, item));
        }
    }
}

fn report(taken: &str, before: &Node, item: &Node) -> Diagnostic {
    let what = if taken == "object" {
        "`{}`".to_owned()
    } else {
        format!("each {taken}")
    };
    let finding = OVERLAP.finding(format!("{what} is two of these alternatives"));
    let finding = finding
        .at(item.span, "this one")
        .also(before.span, "and this one");
    finding.help(OVERLAP.mend)
}

/// The one type of a schema that leaves its simplest value, or all values, of it in.
fn takes_all(schema: &Node) -> Option<&str> {
    const NARROWING: [&str; 17] = [
        "enum",
        "const",
        "pattern",
        "format",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "minProperties",
        "allOf",
        "oneOf",
        "anyOf",
        "not",
    ];
    let types = types(schema);
    let [name] = types[..] else { return None };
    let required = schema.get("required").and_then(|list| list.item(0));
    let is_narrow = NARROWING.iter().any(|key| schema.get(key).is_some());
    let tells = schema.get("x-extensible-enum").is_some() || name == "array";
    (!is_narrow && required.is_none() && !tells).then_some(name)
}
