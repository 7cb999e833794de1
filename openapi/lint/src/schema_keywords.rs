//! Checks for keywords without effect, and for missing ones.

use super::context::Context;
use super::edit::{insert_key, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use super::schema_type::types;
use openapi_document::diagnostic::Diagnostic;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const NULLABLE: Rule = Rule {
    id: "nullable-without-type",
    default: Level::Warning,
    summary: "A `nullable` schema has a `type`",
    why: "`nullable` adds null to the `type` of the same schema. Without a `type`, for example \
          beside `allOf`, it has no effect.",
    remedy: "Write the `type` beside it, or add an alternative for null.",
    wrong: "\
components:
  schemas:
    Size: {nullable: true, enum: [1, 2, null]}",
    right: "\
components:
  schemas:
    Size: {nullable: true, type: integer, enum: [1, 2, null]}",
    check: Check::Document(check_nullable),
};

pub(super) const ITEMS: Rule = Rule {
    id: "array-without-items",
    default: Level::Error,
    summary: "A schema of type array has `items`",
    why: "OpenAPI 3.0 requires it. Without it, the type of the items is unknown.",
    remedy: "Write `items`; `items: {}` allows anything.",
    wrong: "\
components:
  schemas:
    Things: {type: array}",
    right: "\
components:
  schemas:
    Things: {type: array, items: {type: string}}",
    check: Check::Document(check_items),
};

pub(super) const OTHER: Rule = Rule {
    id: "keyword-of-other-type",
    default: Level::Warning,
    summary: "Each keyword of a schema applies to its `type`",
    why: "A keyword for strings has no effect on a number, so the intended check does not happen.",
    remedy: "Correct the `type`, or remove the keyword.",
    wrong: "\
components:
  schemas:
    Size: {type: integer, maxLength: 3}",
    right: "\
components:
  schemas:
    Size: {type: integer, maximum: 999}",
    check: Check::Document(check_others),
};

pub(super) const BOUNDS: Rule = Rule {
    id: "redundant-bound",
    default: Level::Warning,
    summary: "A schema has either an inclusive or an exclusive bound",
    why: "In 3.1, both `maximum` and `exclusiveMaximum` are numbers, and one of them never has an \
          effect.",
    remedy: "Keep the narrower one.",
    wrong: "\
openapi: 3.1.0
components:
  schemas:
    Size: {type: integer, maximum: 9, exclusiveMaximum: 9}",
    right: "\
openapi: 3.1.0
components:
  schemas:
    Size: {type: integer, exclusiveMaximum: 9}",
    check: Check::Document(check_bounds),
};

/// The keywords that apply to only some types.
static KEYWORDS: &[(&[&str], &[&str])] = &[
    (&["string"], &["minLength", "maxLength", "pattern"]),
    (
        &["number", "integer"],
        &[
            "multipleOf",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
        ],
    ),
    (
        &["array"],
        &["items", "minItems", "maxItems", "uniqueItems"],
    ),
    (
        &["object"],
        &[
            "properties",
            "required",
            "minProperties",
            "maxProperties",
            "additionalProperties",
        ],
    ),
];

fn check_nullable(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema).filter(|_| context.is_30()) {
        let Some(nullable) = schema.node.get("nullable") else {
            continue;
        };
        if nullable.as_bool() == Some(true) && schema.node.get("type").is_none() {
            let finding = NULLABLE.finding("`nullable` has no effect without a `type`");
            let sources = &context.document.sources;
            let name = type_of_enum(schema.node);
            let edit = name.and_then(|name| insert_key(sources, schema.node, "type", name));
            let fix = edit.map(|edit| safe("write the type of the `enum`", edit));
            diagnostics.push(finding.at(nullable.span, "").help(NULLABLE.remedy).fix(fix));
        }
    }
}

/// The common type of all values of an `enum` except null; `None` if there are several, or if it is
/// not a scalar.
fn type_of_enum(schema: &Node) -> Option<&'static str> {
    let values = schema.get("enum")?.items().filter(|value| !value.is_null());
    let mut names: Vec<_> = values.map(Node::type_name).collect();
    names.dedup();
    let [name @ ("string" | "number" | "boolean")] = names[..] else {
        return None;
    };
    Some(name)
}

fn check_items(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema).filter(|_| context.is_30()) {
        let kind = schema.node.get("type");
        let is_array = |kind: &&Node| kind.as_str() == Some("array");
        if let (Some(kind), None) = (kind.filter(is_array), schema.node.get("items")) {
            let finding = ITEMS.finding("this array has no `items`").at(kind.span, "");
            let edit = insert_key(&context.document.sources, schema.node, "items", "{}");
            let fix = edit.map(|edit| safe("allow any items", edit));
            diagnostics.push(finding.help(ITEMS.remedy).fix(fix));
        }
    }
}

fn check_others(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let types = types(schema.node);
        if types.is_empty() {
            continue;
        }
        for entry in schema.node.entries() {
            let row = KEYWORDS
                .iter()
                .find(|(_, keywords)| keywords.contains(&entry.key.as_str()));
            if let Some((of, _)) = row
                && !of.iter().any(|name| types.contains(name))
            {
                let title = format!(
                    "`{}` has no effect on type {}",
                    entry.key,
                    types.join(" or ")
                );
                let finding: Diagnostic = OTHER.finding(title).at(entry.key_span, "");
                diagnostics.push(finding.help(OTHER.remedy));
            }
        }
    }
}

fn check_bounds(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        for (bound, exclusive) in [
            ("minimum", "exclusiveMinimum"),
            ("maximum", "exclusiveMaximum"),
        ] {
            let pair = (schema.node.get(bound), schema.node.get(exclusive));
            if let (Some(bound), Some(other)) = pair
                && bound.as_number().is_some()
                && other.as_number().is_some()
            {
                let finding = BOUNDS.finding("one of these two bounds has no effect");
                let finding = finding
                    .at(other.span, "this one")
                    .also(bound.span, "or this one");
                diagnostics.push(finding.help(BOUNDS.remedy));
            }
        }
    }
}
