//! Examples and defaults that break the schema they stand beside.

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::document::Located;
use crate::grammar::{Kind, is_reference};
use crate::node::Node;
use crate::pointer::Pointer;

pub(super) const RULE: Rule = Rule {
    id: "invalid-example",
    summary: "Each example and default is valid against its own schema",
    check,
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    context.walk(&mut |node, kind, pointer| {
        if is_reference(node, kind) {
            return;
        }
        let at = Located {
            node,
            pointer: pointer.clone(),
        };
        match kind {
            Kind::MediaType | Kind::Parameter | Kind::Header => {
                check_examples(context, &at, diagnostics);
            }
            Kind::Schema => {
                for value in ["example", "default"]
                    .iter()
                    .filter_map(|key| node.get(key))
                {
                    check_value(context, &at, value, diagnostics);
                }
            }
            _ => {}
        }
    });
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
                RULE.error(title)
                    .at(value.span, "so this cannot be held to it"),
            );
            return;
        }
    };
    for violation in violations {
        let span = nearest(value, &violation.instance).span;
        let title = format!("this example breaks its own schema: {}", violation.message);
        let mut diagnostic = RULE
            .error(title)
            .at(span, format!("`{}`", violation.keyword));
        if let Some(keyword) = context.document.lookup(&violation.schema) {
            diagnostic = diagnostic.also(keyword.node.span, "the schema asks for this");
        }
        diagnostics.push(diagnostic);
    }
}

/// The node at a pointer, or the nearest one above it that is there.
fn nearest<'n>(root: &'n Node, pointer: &Pointer) -> &'n Node {
    let mut node = root;
    for segment in pointer.segments() {
        let Some(child) = node.child(segment) else {
            break;
        };
        node = child;
    }
    node
}
