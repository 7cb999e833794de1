//! Where each fact comes from.

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::node::Node;
use crate::provenance::{Level, Provenance};

pub(super) const MISSING: Rule = Rule {
    id: "operation-without-provenance",
    summary: "Each operation of a document that knows provenance says where it comes from",
    check: check_missing,
};

pub(super) const UNREADABLE: Rule = Rule {
    id: "unreadable-provenance",
    summary: "A provenance has a level (documented, inferred or proposed) and a section",
    check: check_unreadable,
};

const HELP: &str = "write `x-provenance: {level: documented | inferred | proposed, section: …}`";

fn check_missing(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context.has_provenance {
        return;
    }
    for operation in context.document.operations() {
        if operation.at.node.get("x-provenance").is_none() {
            let title = format!("`{}` does not say where it comes from", operation.label());
            let span = operation
                .at
                .node
                .get("operationId")
                .unwrap_or(operation.at.node)
                .span;
            diagnostics.push(MISSING.error(title).at(span, "this operation").help(HELP));
        }
    }
}

fn check_unreadable(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    context.walk(&mut |node, _, _| {
        for key in ["x-provenance", "x-required-provenance"] {
            if let Some(value) = node.get(key) {
                check_value(key, value, diagnostics);
            }
        }
        if let Some(values) = node.get("x-extensible-enum-provenance") {
            values
                .entries()
                .for_each(|entry| check_value(&entry.key, &entry.value, diagnostics));
        }
    });
}

fn check_value(key: &str, value: &Node, diagnostics: &mut Diagnostics) {
    let level = value.get("level");
    let known = level.and_then(Node::as_str).and_then(Level::parse);
    if known.is_none() {
        let span = level.unwrap_or(value).span;
        let title = format!("the provenance of `{key}` has no level that is known");
        diagnostics.push(UNREADABLE.error(title).at(span, "").help(HELP));
    } else if Provenance::read(value).is_some_and(|provenance| provenance.section.is_none()) {
        let title = format!("the provenance of `{key}` names no section");
        diagnostics.push(UNREADABLE.error(title).at(value.span, "").help(HELP));
    }
}
