//! Two operations of one name.

use std::collections::HashMap;

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;

pub(super) const RULE: Rule = Rule {
    id: "duplicate-operation-id",
    summary: "Each operationId names one operation",
    check,
};

fn check(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut first = HashMap::new();
    for operation in context.document.operations() {
        let Some(id) = operation.at.node.get("operationId") else {
            continue;
        };
        let Some(name) = id.as_str() else { continue };
        if let Some(before) = first.insert(name, id.span) {
            let title = format!("two operations are called `{name}`");
            let diagnostic = RULE
                .error(title)
                .at(id.span, "the second")
                .also(before, "the first");
            diagnostics.push(diagnostic.help("give one of them another operationId"));
        }
    }
}
