//! Builds documents from templates, and runs the comparison for all tests.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::LazyLock;

use openapi_diff::{Change, Contract, Options, compare};
use openapi_document::Document;
use openapi_document::loader::load_text;

static TEMPLATES: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| serde_yaml::from_str(include_str!("templates.yaml")).unwrap());

/// Fills a part into a template; returns the text, and the lines of the part.
pub(crate) fn fill(template: &str, part: &str, version: &str) -> (String, Range<usize>) {
    let text = TEMPLATES
        .get(template)
        .unwrap_or_else(|| panic!("no template {template}"));
    let hole = text.lines().position(|line| line.trim() == "HOLE").unwrap();
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        if number == hole {
            let indent = &line[..line.len() - line.trim_start().len()];
            for line in part.lines() {
                writeln!(out, "{indent}{line}").unwrap();
            }
        } else {
            writeln!(out, "{line}").unwrap();
        }
    }
    (
        out.replace("VERSION", version),
        hole + 1..hole + 1 + part.lines().count(),
    )
}

pub(crate) fn load(name: &str, text: &str) -> Document {
    load_text(name, text).unwrap_or_else(|error| panic!("{}\n{text}", error.render(false)))
}

pub(crate) fn changes<'d>(
    base: impl Into<Contract<'d>>,
    revision: impl Into<Contract<'d>>,
) -> Vec<Change> {
    compare(base, revision, &Options::on(jiff::civil::date(2026, 7, 1)))
}

/// The changes between two texts.
pub(crate) fn between(base: &str, revision: &str) -> Vec<Change> {
    changes(&load("base.yaml", base), &load("revision.yaml", revision))
}

/// The changes as a list for people.
pub(crate) fn listed(changes: &[Change]) -> String {
    let mut out = String::new();
    for change in changes {
        writeln!(
            out,
            "{} [{}] {} · {} · {} · {}",
            change.rule.id,
            change.level,
            change.operation.as_deref().unwrap_or("-"),
            change.subject,
            change.detail,
            change.title
        )
        .unwrap();
    }
    out
}
