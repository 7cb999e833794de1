//! A changelog: of a comparison what to paste into the notes of a release, of a lint a list.

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
            Self::Gate => "To be mended",
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
    let title = title.map_or("Contract", |own| own.title.as_str());
    // Writing to a string does not fail, here and below.
    let _ = match report.versions.first() {
        Some(own) if own.base != own.revision => {
            writeln!(
                out,
                "## {} {} → {}",
                plain(title),
                plain(&own.base),
                plain(&own.revision)
            )
        }
        Some(own) => writeln!(out, "## {} {}", plain(title), plain(&own.revision)),
        None => writeln!(out, "## {}", plain(title)),
    };
    for own in report.versions.iter().filter(|own| !own.is_enough) {
        let least = own.least.as_deref().unwrap_or_default();
        let _ = writeln!(
            out,
            "\n> The version of {} has to become {least} or higher.",
            own.of
        );
    }
    let mut sections: BTreeMap<Section, Vec<&Finding>> = BTreeMap::new();
    for finding in report.findings.iter().filter(|own| own.counts()) {
        sections
            .entry(Section::of(finding))
            .or_default()
            .push(finding);
    }
    if sections.is_empty() {
        out.push_str("\nNo change for those who use it.\n");
    }
    for (section, findings) in &sections {
        let _ = writeln!(out, "\n### {}", section.title());
        by_operation(findings, out);
    }
}

/// The findings of a section, those of an operation together.
fn by_operation(findings: &[&Finding], out: &mut String) {
    let mut groups: Vec<(Option<&str>, Vec<&Finding>)> = Vec::new();
    for finding in findings {
        let operation = finding.operation.as_deref();
        match groups.iter_mut().find(|(own, _)| *own == operation) {
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
        let place = finding.places.iter().find(|own| own.side == Side::Revision);
        let place = place.map(|own| {
            format!(
                "{}:{}",
                openapi_document::repository::relative(&own.file),
                own.line
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
        .filter_map(|own| Some((own, own.accepted.as_ref()?)))
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

/// A text in which Markdown finds nothing but code.
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
        // What begins as code and never ends is none.
        return out.replace('`', "\\`");
    }
    out
}

/// A text that Markdown takes as it is, also within a table.
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
