//! Checks for types that JSON Schema does not have.

use super::context::Context;
use super::edit::{replace_scalar, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use super::schema_type::TYPES;
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const RULE: Rule = Rule {
    id: "unknown-type",
    default: Level::Error,
    summary: "Each `type` is a type of JSON Schema",
    why: "Tools treat an unknown type as any type, or refuse the document. `null` exists since \
          OpenAPI 3.1.",
    remedy: "Write `string`, `number`, `integer`, `boolean`, `array` or `object`, in lower case.",
    wrong: "\
components:
  schemas:
    Size: {type: String}",
    right: "\
components:
  schemas:
    Size: {type: string}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let Some(node) = schema.node.get("type") else {
            continue;
        };
        let names = node.items().chain([node]);
        for (name, text) in names.filter_map(|name| Some((name, name.as_str()?))) {
            let is_null = text == "null" && context.is_30();
            if TYPES.contains(&text) && !is_null {
                continue;
            }
            let finding = RULE.finding(format!("there is no type `{text}`"));
            let finding = finding.at(name.span, "").help(RULE.remedy);
            diagnostics.push(finding.fix(in_lower_case(context, name, text)));
        }
    }
}

fn in_lower_case(
    context: &Context<'_>,
    name: &Node,
    text: &str,
) -> Option<openapi_document::diagnostic::Fix> {
    let small = text.to_ascii_lowercase();
    let is_known = TYPES.contains(&small.as_str()) && small != "null";
    let edit = replace_scalar(&context.document.sources, name, |_| small.clone());
    edit.filter(|_| is_known)
        .map(|edit| safe("write it in lower case", edit))
}
