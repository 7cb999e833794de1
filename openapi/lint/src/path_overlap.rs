//! Paths that stand for the same addresses.

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
    why: "They are one address, and which of the two is served is chance.",
    mend: "Make one path of the two.",
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
    summary: "Where two paths match one address, one of them is the more specific",
    why: "`/things/mine` is more specific than `/things/{id}` and wins. With a name each where \
          the other has a parameter, routers differ.",
    mend: "Put the fixed parts of both in the same places.",
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

/// A path, the parts between its slashes, and its entry.
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
            diagnostics.push(finding.help(IDENTICAL.mend));
        }
    }
}

fn check_ambiguous(context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut by_length: HashMap<usize, Vec<Parts<'_>>> = HashMap::new();
    for (parts, entry) in paths(context) {
        let before = by_length.entry(parts.len()).or_default();
        for (others, other) in before.iter() {
            if is_ambiguous(&parts, others) {
                let title = format!("`{}` and `{}` can match one address", entry.key, other.key);
                let finding = AMBIGUOUS.finding(title).at(entry.key_span, "this one");
                let finding = finding.also(other.key_span, "and this one");
                diagnostics.push(finding.help(AMBIGUOUS.mend));
            }
        }
        before.push((parts, entry));
    }
}

/// Whether an address can match both, and each has a fixed part where the other has a parameter.
fn is_ambiguous(one: &[&str], other: &[&str]) -> bool {
    let (mut mine, mut theirs) = (false, false);
    for (one, other) in one.iter().zip(other) {
        match (one.contains('{'), other.contains('{')) {
            (false, false) if one != other => return false,
            (false, true) => mine = true,
            (true, false) => theirs = true,
            _ => {}
        }
    }
    mine && theirs
}

/// `{id}.json` as `{}.json`.
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
