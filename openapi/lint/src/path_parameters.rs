//! Checks that paths and declared path parameters match.

use std::collections::HashSet;

use super::context::Context;
use super::edit::{insert_key, replace_scalar, safe};
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::view::{Location, Operation};

pub(super) const UNDECLARED: Rule = Rule {
    id: "path-parameter-undeclared",
    default: Level::Error,
    summary: "Each `{name}` of a path is declared as a path parameter",
    why: "Otherwise the type of the value is unknown, and a generated client has no argument for \
          it.",
    remedy: "Add a parameter with that name, `in: path` and `required: true`.",
    wrong: "\
paths:
  /things/{id}: {get: {responses: {}}}",
    right: "\
paths:
  /things/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {}",
    check: Check::Document(check_undeclared),
};

pub(super) const UNUSED: Rule = Rule {
    id: "path-parameter-unused",
    default: Level::Error,
    summary: "Each declared path parameter occurs in the path, and is required",
    why: "A client cannot send a path parameter that is not in the path. Without `required`, the \
          path could have a gap.",
    remedy: "Remove the parameter, or add it to the path; write `required: true`.",
    wrong: "\
paths:
  /things/{id}:
    get:
      parameters: [{name: id, in: path, schema: {type: string}}]
      responses: {}",
    right: "\
paths:
  /things/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {}",
    check: Check::Document(check_unused),
};

fn check_undeclared(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let declared: HashSet<_> = path_parameters(operation).map(|(name, _)| name).collect();
        for name in names(operation.path) {
            if !declared.contains(name) {
                let title = format!("`{{{name}}}` of `{}` is not declared", operation.path);
                let help = format!("add a parameter `{name}` with `in: path` and `required: true`");
                let label = format!("{} has no such path parameter", operation.label());
                diagnostics.push(
                    UNDECLARED
                        .finding(title)
                        .at(operation.at.node.span, label)
                        .help(help),
                );
            }
        }
    }
}

fn check_unused(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for operation in context.operations() {
        let used: HashSet<_> = names(operation.path).collect();
        for (name, required) in path_parameters(operation) {
            let parameters = operation.parameters();
            let parameter = parameters.iter().find(|p| p.name == name);
            let Some(span) = parameter.map(|parameter| parameter.raw.node.span) else {
                continue;
            };
            if !used.contains(name) {
                let title = format!("`{}` has no `{{{name}}}`", operation.path);
                let help = "remove the parameter, or put it into the path";
                diagnostics.push(UNUSED.finding(title).at(span, "declared here").help(help));
            } else if !required {
                let title = format!("the path parameter `{name}` is not required");
                let help = "a path parameter needs `required: true`";
                let sources = &context.document.sources;
                let node = parameter.map(|parameter| parameter.at.node);
                let edit = node.and_then(|node| match node.get("required") {
                    Some(flag) => replace_scalar(sources, flag, |_| "true".to_owned()),
                    None => insert_key(sources, node, "required", "true"),
                });
                let fix = edit.map(|edit| safe("require it", edit));
                let finding = UNUSED.finding(title).at(span, "");
                diagnostics.push(finding.help(help).fix(fix));
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

pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}
