//! Checks the spelling of paths.

use super::context::Context;
use super::level::Level;
use super::path_parameters::names;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::{Entry, Node};

pub(super) const SLASH: Rule = Rule {
    id: "path-trailing-slash",
    default: Level::Warning,
    summary: "A path does not end with a slash",
    why: "`/things` and `/things/` are two addresses, and most servers serve only one of them.",
    remedy: "Remove the slash.",
    wrong: "\
paths:
  /things/: {get: {responses: {}}}",
    right: "\
paths:
  /things: {get: {responses: {}}}",
    check: Check::Document(check_slash),
};

pub(super) const QUERY: Rule = Rule {
    id: "path-with-query",
    default: Level::Error,
    summary: "A path has no query",
    why: "Tools treat `?` as part of the path, and so as another operation.",
    remedy: "Declare what follows `?` as parameters with `in: query`.",
    wrong: "\
paths:
  /things?size=1: {get: {responses: {}}}",
    right: "\
paths:
  /things: {get: {responses: {}}}",
    check: Check::Document(check_query),
};

pub(super) const UNNAMED: Rule = Rule {
    id: "unnamed-path-parameter",
    default: Level::Error,
    summary: "Each `{…}` in a path has a name",
    why: "A client cannot fill a parameter without a name.",
    remedy: "Write a name between the braces.",
    wrong: "\
paths:
  /things/{}: {get: {responses: {}}}",
    right: "\
paths:
  /things/{id}: {get: {responses: {}}}",
    check: Check::Document(check_unnamed),
};

pub(super) const REPEATED: Rule = Rule {
    id: "repeated-path-parameter",
    default: Level::Error,
    summary: "No `{name}` occurs twice in a path",
    why: "One parameter cannot have two values.",
    remedy: "Rename one of the two parameters.",
    wrong: "\
paths:
  /things/{id}/parts/{id}: {get: {responses: {}}}",
    right: "\
paths:
  /things/{id}/parts/{partId}: {get: {responses: {}}}",
    check: Check::Document(check_repeated),
};

pub(super) const CASE: Rule = Rule {
    id: "path-not-kebab-case",
    default: Level::Off,
    summary: "The fixed parts of a path are in kebab-case",
    why: "A single spelling is easier to guess. The rule is off because a path in use cannot be \
          renamed.",
    remedy: "Write lower-case words, with hyphens between them.",
    wrong: "\
paths:
  /savedThings: {get: {responses: {}}}",
    right: "\
paths:
  /saved-things: {get: {responses: {}}}",
    check: Check::Document(check_case),
};

pub(super) const VERB: Rule = Rule {
    id: "verb-in-path",
    default: Level::Off,
    summary: "A path does not contain the name of an HTTP method",
    why: "The method already says it. The rule is off because a path in use cannot be renamed.",
    remedy: "Name the resource that the path addresses.",
    wrong: "\
paths:
  /get/things: {get: {responses: {}}}",
    right: "\
paths:
  /things: {get: {responses: {}}}",
    check: Check::Document(check_verb),
};

fn check_slash(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &SLASH, diagnostics, |path| {
        let ends = path.len() > 1 && path.ends_with('/');
        ends.then(|| format!("`{path}` ends with a slash"))
    });
}

fn check_query(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &QUERY, diagnostics, |path| {
        path.contains('?').then(|| format!("`{path}` has a query"))
    });
}

fn check_unnamed(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &UNNAMED, diagnostics, |path| {
        path.contains("{}")
            .then(|| format!("a parameter of `{path}` has no name"))
    });
}

fn check_repeated(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &REPEATED, diagnostics, |path| {
        let names: Vec<_> = names(path).collect();
        let again = (1..names.len()).find(|&place| names[..place].contains(&names[place]))?;
        Some(format!("`{path}` has `{{{}}}` twice", names[again]))
    });
}

fn check_case(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    each(context, &CASE, diagnostics, |path| {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.~".contains(c);
        let mut fixed = path.split('/').filter(|part| !part.contains('{'));
        let part = fixed.find(|part| !part.chars().all(kebab))?;
        Some(format!("`{part}` is not in kebab-case"))
    });
}

fn check_verb(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    const VERBS: [&str; 8] = [
        "get", "put", "post", "delete", "options", "head", "patch", "trace",
    ];
    each(context, &VERB, diagnostics, |path| {
        let part = path
            .split('/')
            .find(|part| VERBS.contains(&part.to_lowercase().as_str()))?;
        Some(format!("`{part}` is the name of a method"))
    });
}

fn each(
    context: &Context<'_>,
    rule: &Rule,
    diagnostics: &mut Diagnostics,
    problem: impl Fn(&str) -> Option<String>,
) {
    let paths = context.document.root.get("paths").into_iter();
    let is_path = |entry: &&Entry| entry.key.starts_with('/');
    for entry in paths.flat_map(Node::entries).filter(is_path) {
        if let Some(title) = problem(&entry.key) {
            diagnostics.push(rule.finding(title).at(entry.key_span, "").help(rule.remedy));
        }
    }
}
