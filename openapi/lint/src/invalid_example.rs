//! Checks examples and defaults against their schemas.

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;
use openapi_document::pointer::Pointer;
use openapi_document::view::Located;

pub(super) const RULE: Rule = Rule {
    id: "invalid-example",
    default: Level::Error,
    summary: "Each example and default is valid against its schema",
    why: "People copy examples, and tests replay them. The service refuses an example that \
          violates its schema.",
    remedy: "Correct the value or the schema. The finding points at both.",
    wrong: "\
components:
  schemas:
    Size: {type: integer, example: large}",
    right: "\
components:
  schemas:
    Size: {type: integer, example: 12}",
    check: Check::Document(check),
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for kind in [Kind::MediaType, Kind::Parameter, Kind::Header] {
        for object in context.of(kind) {
            check_examples(context, &context.located(object), diagnostics);
        }
    }
    for schema in context.of(Kind::Schema) {
        let values = ["example", "default"];
        for value in values.iter().filter_map(|key| schema.node.get(key)) {
            check_value(context, &context.located(schema), value, diagnostics);
        }
    }
}

fn check_examples(context: &Context<'_>, at: &Located<'_>, diagnostics: &mut Diagnostics) {
    let Some(schema) = at.get("schema") else {
        return;
    };
    if let Some(value) = at.node.get("example") {
        check_value(context, &schema, value, diagnostics);
    }
    let Some(examples) = at.get("examples") else {
        return;
    };
    for (_, raw) in examples.entries() {
        let Ok(example) = context.document.resolve(&raw) else {
            continue;
        };
        if let Some(value) = example.node.get("value") {
            check_value(context, &schema, value, diagnostics);
        }
    }
}

fn check_value(
    context: &Context<'_>,
    schema: &Located<'_>,
    value: &Node,
    diagnostics: &mut Diagnostics,
) {
    let violations = match context.schemas().validate(schema, value) {
        Ok(violations) => violations,
        Err(reason) => {
            let title = format!("the schema of this example cannot be used: {reason}");
            diagnostics.push(
                RULE.finding(title)
                    .at(value.span, "so this example cannot be validated"),
            );
            return;
        }
    };
    for violation in violations {
        let span = nearest(value, &violation.instance).span;
        let title = format!("this example violates its schema: {}", violation.message);
        let mut diagnostic = RULE
            .finding(title)
            .at(span, format!("`{}`", violation.keyword));
        if let Some(keyword) = context.document.lookup(&violation.schema) {
            diagnostic = diagnostic.also(keyword.node.span, "the schema requires this");
        }
        diagnostics.push(diagnostic);
    }
}

/// The node at a pointer, or its nearest existing parent.
fn nearest<'n>(root: &'n Node, pointer: &Pointer) -> &'n Node {
    let mut node = root;
    for segment in pointer.segments() {
        let Some(child) = node.child(&segment) else {
            break;
        };
        node = child;
    }
    node
}
