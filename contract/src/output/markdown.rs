//! Markdown: writes a changelog for release notes from a comparison, or a list from a lint run.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::finding::{Finding, Side};
use crate::level::Level;
use crate::report::{Report, Task};

/// A part of the changelog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Breaking,
    Warning,
    Deprecated,
    Added,
    Changed,
    Gate,
}

impl Section {
    fn of(finding: &Finding) -> Self {
        let Some(axes) = finding.axes else {
            return Self::Gate;
        };
        let lifecycle = ["deprecat", "sunset"];
        match finding.level {
            Level::Error => Self::Breaking,
            _ if lifecycle.iter().any(|word| finding.rule.contains(word)) => Self::Deprecated,
            Level::Warning => Self::Warning,
            _ if axes.action == "Add" => Self::Added,
            _ => Self::Changed,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Breaking => "Breaking",
            Self::Warning => "May break",
            Self::Deprecated => "Deprecated",
            Self::Added => "Added",
            Self::Changed => "Changed",
            Self::Gate => "To be fixed",
        }
    }
}

/// The text of the changelog.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    match report.task {
        Task::Diff => diff(report, &mut out),
        Task::Lint => lint(report, &mut out),
    }
    accepted(report, &mut out);
    out
}

fn diff(report: &Report, out: &mut String) {
    let title = report.documents.first().or(report.base.as_ref());
    let title = title.map_or("Contract", |document| document.title.as_str());
    // Writing to a string does not fail, here and below.
    let _ = match report.versions.first() {
        Some(verdict) if verdict.base != verdict.revision => {
            writeln!(
                out,
                "## {} {} → {}",
                plain(title),
                plain(&verdict.base),
                plain(&verdict.revision)
            )
        }
        Some(verdict) => writeln!(out, "## {} {}", plain(title), plain(&verdict.revision)),
        None => writeln!(out, "## {}", plain(title)),
    };
    for verdict in report.versions.iter().filter(|verdict| !verdict.is_enough) {
        let least = verdict.least.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "\n> The version of {} must be {least} or higher.",
            verdict.of
        );
    }
    let mut sections: BTreeMap<Section, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|finding| finding.counts()) {
        sections
            .entry(Section::of(finding))
            .or_default()
            .push(finding);
    }
    if sections.is_empty() {
        out.push_str("\nNo change affects users of the contract.\n");
    }
    for (section, findings) in &sections {
        let _ = writeln!(out, "\n### {}", section.title());
        by_operation(findings, out);
    }
}

/// Writes the findings of a section, grouped by operation.
fn by_operation(findings: &[&Finding], out: &mut String) {
    let mut groups: Vec<(Option<&str>, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        let operation = finding.operation.as_deref();
        match groups.iter_mut().find(|(known, _)| *known == operation) {
            Some((_, group)) => group.push(finding),
            None => groups.push((operation, vec![finding])),
        }
    }
    for (operation, group) in groups {
        out.push('\n');
        if let Some(operation) = operation {
            let _ = writeln!(out, "**{}**\n", code(operation));
        }
        for finding in group {
            let _ = writeln!(
                out,
                "- {} ({}, `{}`)",
                plain(&finding.title),
                code(finding.rule),
                finding.fingerprint
            );
        }
    }
}

fn lint(report: &Report, out: &mut String) {
    let counts = report.counts();
    let _ = writeln!(
        out,
        "## Contract lint: {}\n\n{} errors, {} warnings, {} info.",
        report.outcome().as_str(),
        counts.error,
        counts.warning,
        counts.info
    );
    let found = report.by_weight();
    if found.is_empty() {
        return;
    }
    out.push_str("\n| level | what | rule | where | fingerprint |\n|---|---|---|---|---|\n");
    for finding in found {
        let place = finding
            .places
            .iter()
            .find(|place| place.side == Side::Revision);
        let place = place.map(|place| {
            format!(
                "{}:{}",
                openapi_document::repository::relative(&place.file),
                place.line
            )
        });
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | `{}` |",
            finding.level,
            plain(&finding.title),
            code(finding.rule),
            code(&place.unwrap_or_default()),
            finding.fingerprint
        );
    }
}

fn accepted(report: &Report, out: &mut String) {
    let known = report.findings.iter();
    let known: Vec<_> = known
        .filter_map(|finding| Some((finding, finding.accepted.as_ref()?)))
        .collect();
    if known.is_empty() {
        return;
    }
    out.push_str("\n### Accepted\n\n");
    for (finding, why) in known {
        let operation = finding.operation.as_deref().unwrap_or_default();
        let lead = if operation.is_empty() { "" } else { ": " };
        let _ = writeln!(
            out,
            "- {operation}{lead}{} — {}, until {} ({}, `{}`)",
            plain(&finding.title),
            plain(&why.reason),
            why.expires,
            code(finding.rule),
            finding.fingerprint
        );
    }
}

/// Escapes a text so that Markdown interprets nothing but code.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for char in text.chars() {
        match char {
            '\n' | '\r' => out.push(' '),
            '`' => {
                is_code = !is_code;
                out.push(char);
            }
            '|' => out.push_str("\\|"),
            '*' | '_' | '<' | '>' | '[' | ']' | '\\' | '#' if !is_code => {
                out.push('\\');
                out.push(char);
            }
            char => out.push(char),
        }
    }
    if is_code {
        // Code without an end is not code.
        return out.replace('`', "\\`");
    }
    out
}

/// Writes a text as Markdown code, also inside a table.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let plain = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let runs = plain.split(|char| char != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let edge = plain.starts_with('`') || plain.ends_with('`');
    let pad = if edge { " " } else { "" };
    format!("{fence}{pad}{plain}{pad}{fence}")
}
