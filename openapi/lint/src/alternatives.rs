//! Checks for equal and overlapping alternatives of a schema.

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
    summary: "The schemas in a list are all different",
    why: "A value that matches one of two equal alternatives matches both, so `oneOf` refuses it. \
          In other lists the second schema has no effect.",
    remedy: "Remove one of the two schemas.",
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
    summary: "No value always matches two alternatives of a `oneOf`",
    why: "`oneOf` means exactly one. If `{}` matches two objects, or any text two strings, \
          validators refuse the value, and a client cannot tell the alternatives apart. A \
          `discriminator` helps if each alternative requires its property.",
    remedy: "Require in each object a property that the others lack, narrow the strings or \
             numbers, or write `anyOf`.",
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
                    let finding = REPEATED.finding("this schema is in the list twice");
                    let finding = finding.at(item.span, "again here");
                    diagnostics.push(
                        finding
                            .also(before.span, "first here")
                            .help(REPEATED.remedy),
                    );
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
            let Some(accepted) = context.resolve(item).and_then(accepts_all) else {
                continue;
            };
            let before = first
                .iter()
                .find(|(name, _)| *name == accepted)
                .map(|(_, node)| *node);
            // One finding per list: the fix for the first pair often fixes all.
            if let Some(before) = before {
                diagnostics.push(report(accepted, before, item));
                break;
            }
            first.push((accepted, item));
        }
    }
}

fn report(accepted: &str, before: &Node, item: &Node) -> Diagnostic {
    let what = if accepted == "object" {
        "`{}`".to_owned()
    } else {
        format!("each {accepted}")
    };
    let finding = OVERLAP.finding(format!("{what} matches two of these alternatives"));
    let finding = finding
        .at(item.span, "this one")
        .also(before.span, "and this one");
    finding.help(OVERLAP.remedy)
}

/// The type of a schema that accepts all values of this type, or at least the simplest one (`{}`).
fn accepts_all(schema: &Node) -> Option<&str> {
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
    let is_exempt = schema.get("x-extensible-enum").is_some() || name == "array";
    (!is_narrow && required.is_none() && !is_exempt).then_some(name)
}
