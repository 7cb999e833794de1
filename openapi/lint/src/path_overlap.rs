//! Checks for paths that match the same address.

use std::collections::HashMap;

use super::context::Context;
use super::level::Level;
use super::rule::{Check, Rule};
use openapi_document::diagnostic::Diagnostics;
use openapi_document::node::{Entry, Node};

pub(super) const IDENTICAL: Rule = Rule {
    id: "identical-paths",
    default: Level::Error,
    summary: "No two paths differ only in the names of their parameters",
    why: "They are the same address, and servers may serve either.",
    remedy: "Merge the two paths.",
    wrong: "\
paths:
  /things/{id}: {get: {responses: {}}}
  /things/{name}: {get: {responses: {}}}",
    right: "\
paths:
  /things/{id}: {get: {responses: {}}}",
    check: Check::Document(check_identical),
};

pub(super) const AMBIGUOUS: Rule = Rule {
    id: "ambiguous-paths",
    default: Level::Warning,
    summary: "If two paths match the same address, one of them is more specific",
    why: "`/things/mine` is more specific than `/things/{id}` and wins. If each path has a fixed \
          part where the other has a parameter, routers differ.",
    remedy: "Put the fixed parts of both paths in the same positions.",
    wrong: "\
paths:
  /things/{id}/mine: {get: {responses: {}}}
  /things/all/{view}: {get: {responses: {}}}",
    right: "\
paths:
  /things/{id}/mine: {get: {responses: {}}}
  /lists/all/{view}: {get: {responses: {}}}",
    check: Check::Document(check_ambiguous),
};

/// The segments of a path, and its entry.
type Parts<'d> = (Vec<&'d str>, &'d Entry);

fn paths<'d>(context: &Context<'d>) -> Vec<Parts<'d>> {
    let paths = context.document.root.get("paths").into_iter();
    let paths = paths.flat_map(Node::entries);
    let paths = paths.filter(|entry| entry.key.starts_with('/'));
    paths
        .map(|entry| (entry.key.split('/').collect(), entry))
        .collect()
}

fn check_identical(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut first = HashMap::new();
    for (parts, entry) in paths(context) {
        let bare: Vec<_> = parts.iter().map(|part| without_names(part)).collect();
        if let Some(before) = first.insert(bare, entry) {
            let title = format!("`{}` is the same address as `{}`", entry.key, before.key);
            let finding = IDENTICAL.finding(title).at(entry.key_span, "this one");
            let finding = finding.also(before.key_span, "and this one");
            diagnostics.push(finding.help(IDENTICAL.remedy));
        }
    }
}

fn check_ambiguous(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut by_length: HashMap<usize, Vec<Parts<'_>>> = HashMap::new();
    for (parts, entry) in paths(context) {
        let before = by_length.entry(parts.len()).or_default();
        for (others, other) in before.iter() {
            if is_ambiguous(&parts, others) {
                let title = format!(
                    "`{}` and `{}` can match the same address",
                    entry.key, other.key
                );
                let finding = AMBIGUOUS.finding(title).at(entry.key_span, "this one");
                let finding = finding.also(other.key_span, "and this one");
                diagnostics.push(finding.help(AMBIGUOUS.remedy));
            }
        }
        before.push((parts, entry));
    }
}

/// Whether an address can match both paths, and each has a fixed part where the other has a
/// parameter.
fn is_ambiguous(one: &[&str], other: &[&str]) -> bool {
    let (mut first_fixed, mut second_fixed) = (false, false);
    for (one, other) in one.iter().zip(other) {
        match (one.contains('{'), other.contains('{')) {
            (false, false) if one != other => return false,
            (false, true) => first_fixed = true,
            (true, false) => second_fixed = true,
            _ => {}
        }
    }
    first_fixed && second_fixed
}

/// Removes the names of parameters: `{id}.json` becomes `{}.json`.
fn without_names(part: &str) -> String {
    let mut out = String::new();
    for (place, piece) in part.split('{').enumerate() {
        match piece.split_once('}') {
            Some((_, rest)) if place > 0 => out.extend(["{}", rest]),
            _ => out.push_str(piece),
        }
    }
    out
}
