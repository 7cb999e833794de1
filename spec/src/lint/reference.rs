//! References that lead nowhere, back to themselves, or hide what stands beside them.

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::document::{Located, ResolveError};
use crate::grammar::is_reference;

pub(super) const UNRESOLVED: Rule = Rule {
    id: "unresolved-reference",
    summary: "Each `$ref` leads to something",
    check: check_unresolved,
};

pub(super) const CYCLIC: Rule = Rule {
    id: "cyclic-reference",
    summary: "No chain of `$ref`s leads back into itself",
    check: check_cyclic,
};

pub(super) const SIBLINGS: Rule = Rule {
    id: "reference-siblings",
    summary: "Beside a `$ref` stand only `x-` fields, since readers drop all others",
    check: check_siblings,
};

fn check_unresolved(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_failure(context, &mut |error| {
        if let ResolveError::Nowhere { reference, span } = error {
            let title = format!("`{reference}` leads nowhere");
            let help = "check the spelling, and that the definition is there";
            diagnostics.push(
                UNRESOLVED
                    .error(title)
                    .at(span, "nothing is there")
                    .help(help),
            );
        }
    });
}

fn check_cyclic(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each_failure(context, &mut |error| {
        if let ResolveError::Cycle { reference, span } = error {
            let title = format!("`{reference}` leads back to itself");
            let help = "one definition of the chain has to be more than a `$ref`";
            diagnostics.push(
                CYCLIC
                    .error(title)
                    .at(span, "the chain closes here")
                    .help(help),
            );
        }
    });
}

fn each_failure(context: &Context<'_>, report: &mut dyn FnMut(ResolveError)) {
    context.walk(&mut |node, kind, pointer| {
        if is_reference(node, kind) {
            let from = Located {
                node,
                pointer: pointer.clone(),
            };
            context
                .document
                .resolve(&from)
                .err()
                .into_iter()
                .for_each(&mut *report);
        }
    });
}

fn check_siblings(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    if !context
        .document
        .version()
        .is_some_and(|version| version.starts_with("3.0"))
    {
        return;
    }
    context.walk(&mut |node, kind, _| {
        if !is_reference(node, kind) {
            return;
        }
        for entry in node.entries() {
            if entry.key != "$ref" && !entry.key.starts_with("x-") {
                let title = format!("`{}` stands beside a `$ref`", entry.key);
                let help = "wrap the reference in `allOf`, or move the key to the definition";
                let diagnostic = SIBLINGS
                    .error(title)
                    .at(entry.key_span, "readers drop this");
                diagnostics.push(diagnostic.help(help));
            }
        }
    });
}
