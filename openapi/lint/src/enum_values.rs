//! Checks the values of enums: types, duplicates, and null.

use std::collections::HashMap;

use super::context::Context;
use super::edit::{append_item, remove_item, replace_scalar, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use super::schema_type::{TYPES, fits, is_nullable, types};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::{Node, Value};

pub(super) const MISMATCH: Rule = Rule {
    id: "enum-type-mismatch",
    default: Level::Error,
    summary: "Each value of an `enum` has the `type` of its schema",
    why: "A value of another type is never valid, and many generators fail on it.",
    remedy: "Change the value to the type (check the quotes), or correct the `type`.",
    wrong: "\
components:
  schemas:
    Size: {type: string, enum: [small, 10]}",
    right: "\
components:
  schemas:
    Size: {type: string, enum: [small, '10']}",
    check: Check::Document(check_types),
};

pub(super) const DUPLICATE: Rule = Rule {
    id: "duplicate-enum-value",
    default: Level::Warning,
    summary: "No value occurs twice in an `enum`",
    why: "The second value has no effect. Usually the author meant another value.",
    remedy: "Remove or correct one of the two values.",
    wrong: "\
components:
  schemas:
    Size: {type: string, enum: [small, large, small]}",
    right: "\
components:
  schemas:
    Size: {type: string, enum: [small, large]}",
    check: Check::Document(check_duplicates),
};

pub(super) const NULL: Rule = Rule {
    id: "nullable-enum-without-null",
    default: Level::Warning,
    summary: "The `enum` of a `nullable` schema contains `null`",
    why: "An `enum` lists all valid values. Without `null` in it, strict validators refuse null \
          in spite of `nullable`.",
    remedy: "Add `null` to the `enum`, or remove `nullable`.",
    wrong: "\
components:
  schemas:
    Size: {type: string, nullable: true, enum: [small, large]}",
    right: "\
components:
  schemas:
    Size: {type: string, nullable: true, enum: [small, large, null]}",
    check: Check::Document(check_null),
};

fn check_types(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_enum(context, &mut |schema, values| {
        let types = types(schema);
        let is_known = types.iter().all(|name| TYPES.contains(name));
        // Another rule decides whether null is allowed.
        let is_wrong =
            |value: &&Node| !value.is_null() && !types.iter().any(|name| fits(value, name));
        for value in values
            .items()
            .filter(is_wrong)
            .filter(|_| is_known && !types.is_empty())
        {
            let title = format!(
                "this value is of type {}, but its schema of type {}",
                value.type_name(),
                types.join(" or ")
            );
            let is_text =
                types == ["string"] && matches!(value.value, Value::Number(_) | Value::Bool(_));
            let sources = &context.document.sources;
            let edit = replace_scalar(sources, value, |raw| format!("\"{raw}\""));
            let fix = edit
                .filter(|_| is_text)
                .map(|edit| safe("add quotes", edit));
            let finding = MISMATCH.finding(title).at(value.span, "");
            diagnostics.push(finding.help(MISMATCH.remedy).fix(fix));
        }
    });
}

fn check_duplicates(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_enum(context, &mut |_, values| {
        let mut first = HashMap::new();
        for (index, value) in values.items().enumerate() {
            if let Some(before) = first.insert(value.to_serde().to_string(), value.span) {
                let finding = DUPLICATE.finding("this value is in the `enum` twice");
                let finding = finding
                    .at(value.span, "again here")
                    .also(before, "first here");
                let edit = remove_item(&context.document.sources, values, index);
                let fix = edit.map(|edit| safe("remove the second one", edit));
                diagnostics.push(finding.help(DUPLICATE.remedy).fix(fix));
            }
        }
    });
}

fn check_null(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_enum(context, &mut |schema, values| {
        if context.is_30() && is_nullable(schema) && !values.items().any(Node::is_null) {
            let finding = NULL.finding("the schema is `nullable`, but its `enum` has no null");
            let edit = append_item(&context.document.sources, values, "null");
            let fix = edit.map(|edit| safe("add null", edit));
            diagnostics.push(finding.at(values.span, "").help(NULL.remedy).fix(fix));
        }
    });
}

fn each_enum<'d>(context: &Context<'d>, visit: &mut dyn FnMut(&'d Node, &'d Node)) {
    for schema in context.of(Kind::Schema) {
        if let Some(values) = schema.node.get("enum") {
            visit(schema.node, values);
        }
    }
}
