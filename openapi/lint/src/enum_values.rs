//! Values of an `enum` that cannot occur, or occur twice.

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
    summary: "Each value of an `enum` is of the `type` of its schema",
    why: "A value of another type never occurs, and generators stumble over it.",
    mend: "Write the value as one of the type (mind quotes), or correct the `type`.",
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
    summary: "An `enum` has each value once",
    why: "The second one says nothing, and mostly stands for another value that was meant.",
    mend: "Remove one of the two.",
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
    summary: "A schema that is `nullable` has `null` among its `enum`",
    why: "An `enum` lists all values: without `null` there, strict readers refuse it in spite of \
          `nullable`.",
    mend: "Add `null` to the `enum`, or remove `nullable`.",
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
        // Whether null may stand there is for another rule.
        let is_wrong =
            |value: &&Node| !value.is_null() && !types.iter().any(|name| fits(value, name));
        for value in values
            .items()
            .filter(is_wrong)
            .filter(|_| is_known && !types.is_empty())
        {
            let title = format!(
                "this value is of type {}, and its schema of type {}",
                value.type_name(),
                types.join(" or ")
            );
            let is_text =
                types == ["string"] && matches!(value.value, Value::Number(_) | Value::Bool(_));
            let sources = &context.document.sources;
            let edit = replace_scalar(sources, value, |raw| format!("\"{raw}\""));
            let fix = edit
                .filter(|_| is_text)
                .map(|edit| safe("put it between quotes", edit));
            let finding = MISMATCH.finding(title).at(value.span, "");
            diagnostics.push(finding.help(MISMATCH.mend).fix(fix));
        }
    });
}

fn check_duplicates(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_enum(context, &mut |_, values| {
        let mut first = HashMap::new();
        for (index, value) in values.items().enumerate() {
            if let Some(before) = first.insert(value.to_serde().to_string(), value.span) {
                let finding = DUPLICATE.finding("this value stands in the `enum` twice");
                let finding = finding
                    .at(value.span, "again here")
                    .also(before, "first here");
                let edit = remove_item(&context.document.sources, values, index);
                let fix = edit.map(|edit| safe("remove the second one", edit));
                diagnostics.push(finding.help(DUPLICATE.mend).fix(fix));
            }
        }
    });
}

fn check_null(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_enum(context, &mut |schema, values| {
        if context.is_30() && is_nullable(schema) && !values.items().any(Node::is_null) {
            let finding = NULL.finding("the schema is `nullable`, and its `enum` has no null");
            let edit = append_item(&context.document.sources, values, "null");
            let fix = edit.map(|edit| safe("add null", edit));
            diagnostics.push(finding.at(values.span, "").help(NULL.mend).fix(fix));
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
