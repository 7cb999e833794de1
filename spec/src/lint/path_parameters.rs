//! Path templates and path parameters, both ways.

use std::collections::HashSet;

use super::{Context, Rule};
use crate::diagnostic::Diagnostics;
use crate::document::{Location, Operation};

pub(super) const UNDECLARED: Rule = Rule {
    id: "path-parameter-undeclared",
    summary: "Each `{name}` of a path is declared as a path parameter",
    check: check_undeclared,
};

pub(super) const UNUSED: Rule = Rule {
    id: "path-parameter-unused",
    summary: "Each declared path parameter stands in the path, and is required",
    check: check_unused,
};

fn check_undeclared(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.document.operations() {
        let declared: HashSet<_> = path_parameters(&operation).map(|(name, _)| name).collect();
        for name in names(operation.path) {
            if !declared.contains(name) {
                let title = format!("`{{{name}}}` of `{}` is not declared", operation.path);
                let help = format!("add a parameter `{name}` with `in: path` and `required: true`");
                let label = format!("{} has no such path parameter", operation.label());
                diagnostics.push(
                    UNDECLARED
                        .error(title)
                        .at(operation.at.node.span, label)
                        .help(help),
                );
            }
        }
    }
}

fn check_unused(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.document.operations() {
        let used: HashSet<_> = names(operation.path).collect();
        for (name, required) in path_parameters(&operation) {
            let parameters = operation.parameters();
            let parameter = parameters.iter().find(|p| p.name == name);
            let Some(span) = parameter.map(|parameter| parameter.raw.node.span) else {
                continue;
            };
            if !used.contains(name) {
                let title = format!("`{}` has no `{{{name}}}`", operation.path);
                let help = "remove the parameter, or put it into the path";
                diagnostics.push(UNUSED.error(title).at(span, "declared here").help(help));
            } else if !required {
                let title = format!("the path parameter `{name}` is not required");
                let help = "a path parameter says `required: true`";
                diagnostics.push(UNUSED.error(title).at(span, "").help(help));
            }
        }
    }
}

fn path_parameters<'d>(operation: &Operation<'d>) -> impl Iterator<Item = (&'d str, bool)> {
    let parameters = operation.parameters().into_iter();
    parameters
        .filter(|p| p.location == Location::Path)
        .map(|p| (p.name, p.required()))
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
