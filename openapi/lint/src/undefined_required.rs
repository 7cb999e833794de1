//! Checks that required properties are defined.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::object::Object;

pub(super) const RULE: Rule = Rule {
    id: "undefined-required-property",
    default: Level::Warning,
    summary: "Each property that is `required` is defined",
    why: "A mistyped name demands a property that no client sends, and leaves the intended one \
          optional. The rule does not apply if the schema describes other properties with \
          `additionalProperties` or `patternProperties`.",
    remedy: "Define the property, or correct the name.",
    wrong: "\
components:
  schemas:
    Thing: {type: object, required: [nmae], properties: {name: {type: string}}}",
    right: "\
components:
  schemas:
    Thing: {type: object, required: [name], properties: {name: {type: string}}}",
    check: Check::Document(check),
};

/// The maximum depth of nested schemas.
const DEPTH: usize = 16;

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for schema in context.of(Kind::Schema) {
        let Some(required) = schema.node.get("required") else {
            continue;
        };
        let Some(whole) = whole(context, schema) else {
            continue;
        };
        for name in required.items() {
            let Some(text) = name.as_str() else { continue };
            if !defines(context, schema.node, text, DEPTH) && !defines(context, whole, text, DEPTH)
            {
                let finding = RULE.finding(format!(
                    "the property `{text}` is required, but not defined"
                ));
                diagnostics.push(finding.at(name.span, "").help(RULE.remedy));
            }
        }
    }
}

/// The schema that contains a part of `allOf`, `oneOf` and similar keywords; usually the schema
/// itself. `None` for a schema below `not` or `if`.
fn whole<'d>(context: &Context<'d>, schema: &Object<'d>) -> Option<&'d Node> {
    let mut here = schema;
    loop {
        match here.field {
            "not" | "if" => return None,
            "allOf" | "oneOf" | "anyOf" | "then" | "else" | "dependentSchemas" => {
                here = context.parent(here)?;
            }
            _ => return Some(here.node),
        }
    }
}

fn defines<'d>(context: &Context<'d>, schema: &'d Node, name: &str, depth: usize) -> bool {
    let Some(schema) = context.resolve(schema).filter(|_| depth > 0) else {
        return true;
    };
    let others = schema
        .get("additionalProperties")
        .and_then(Node::as_mapping);
    let is_open = schema.get("patternProperties").is_some();
    let is_listed = schema
        .get("properties")
        .is_some_and(|all| all.get(name).is_some());
    let parts = ["allOf", "oneOf", "anyOf"]
        .into_iter()
        .filter_map(|key| schema.get(key));
    let mut parts = parts.flat_map(Node::items);
    is_listed
        || is_open
        || others.is_some_and(|others| !others.entries.is_empty())
        || parts.any(|part| defines(context, part, name, depth - 1))
}
