//! Checks the variables of servers.

use super::context::Context;
use super::level::Level;
use super::path_parameters::names;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::grammar::Kind;
use openapi_document::node::Node;

pub(super) const UNDEFINED: Rule = Rule {
    id: "undefined-server-variable",
    default: Level::Error,
    summary: "Each `{name}` in the URL of a server is declared as a variable",
    why: "A client does not know the value.",
    remedy: "Declare the variable under `variables` with a `default`.",
    wrong: "\
servers:
  - url: https://{area}.things.test
    variables: {zone: {default: eu}}",
    right: "\
servers:
  - url: https://{zone}.things.test
    variables: {zone: {default: eu}}",
    check: Check::Document(check_undefined),
};

pub(super) const UNUSED: Rule = Rule {
    id: "unused-server-variable",
    default: Level::Warning,
    summary: "Each variable of a server occurs in its URL",
    why: "An unused variable is usually a typing error.",
    remedy: "Add it to the URL, or remove it.",
    wrong: "\
servers:
  - url: https://eu.things.test
    variables: {zone: {default: eu}}",
    right: "\
servers:
  - url: https://{zone}.things.test
    variables: {zone: {default: eu}}",
    check: Check::Document(check_unused),
};

pub(super) const ENUM: Rule = Rule {
    id: "server-variable-outside-enum",
    default: Level::Error,
    summary: "The `enum` of a server variable is not empty, and contains the default",
    why: "Clients use the default, so it must be one of the valid values.",
    remedy: "Add the default to the `enum`, or remove an empty `enum`.",
    wrong: "\
servers:
  - url: https://{zone}.things.test
    variables: {zone: {default: eu, enum: [us, asia]}}",
    right: "\
servers:
  - url: https://{zone}.things.test
    variables: {zone: {default: eu, enum: [eu, us]}}",
    check: Check::Document(check_enum),
};

fn check_undefined(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for server in context.of(Kind::Server) {
        let variables = server.node.get("variables");
        let Some(url) = server.node.get("url") else {
            continue;
        };
        for name in url.as_str().into_iter().flat_map(names) {
            if variables
                .and_then(|variables| variables.get(name))
                .is_none()
            {
                let finding = UNDEFINED.finding(format!("there is no variable `{name}`"));
                diagnostics.push(finding.at(url.span, "named here").help(UNDEFINED.remedy));
            }
        }
    }
}

fn check_unused(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for server in context.of(Kind::Server) {
        let Some(url) = server.node.get("url").and_then(Node::as_str) else {
            continue;
        };
        for entry in server
            .node
            .get("variables")
            .into_iter()
            .flat_map(Node::entries)
        {
            if !names(url).any(|name| name == entry.key) {
                let finding = UNUSED.finding(format!("`{url}` has no `{{{}}}`", entry.key));
                diagnostics.push(finding.at(entry.key_span, "").help(UNUSED.remedy));
            }
        }
    }
}

fn check_enum(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for variable in context.of(Kind::ServerVariable) {
        let Some(values) = variable.node.get("enum") else {
            continue;
        };
        let default = variable.node.get("default");
        let title = match default {
            _ if values.item(0).is_none() => "the `enum` of this variable is empty",
            Some(default) if !values.items().any(|value| value.same_value(default)) => {
                "the default of this variable is not in its `enum`"
            }
            _ => continue,
        };
        let finding = ENUM.finding(title);
        diagnostics.push(
            finding
                .at(default.unwrap_or(values).span, "")
                .help(ENUM.remedy),
        );
    }
}
