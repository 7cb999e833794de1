//! Terminal: writes the report for people: each finding in the style of a compiler, then a summary.

use std::fmt::Write as _;

use annotate_snippets::{AnnotationKind, Group, Level as Weight, Origin, Renderer, Snippet};

use crate::finding::{Finding, Place};
use crate::level::Level;
use crate::report::{Outcome, Report, Task};

/// The text for a terminal.
pub fn text(report: &Report, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let mut out = String::new();
    for finding in report.findings.iter().filter(|finding| finding.counts()) {
        out.push_str(&renderer.render(&[group(finding)]));
        out.push_str("\n\n");
    }
    summary(report, &mut out);
    out
}

fn group(finding: &Finding) -> Group<'_> {
    let level = match finding.level {
        Level::Error => Weight::ERROR,
        Level::Warning => Weight::WARNING,
        Level::Info | Level::Off => Weight::INFO,
    };
    let title = level.primary_title(finding.title.as_str()).id(finding.rule);
    let mut group = Group::with_title(title);
    for (index, place) in finding.places.iter().enumerate() {
        let kind = if index == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        group = with_place(group, place, kind);
    }
    if let Some(operation) = &finding.operation {
        let note = format!("{operation}: {}", finding.subject);
        group = group.element(Weight::NOTE.message(note));
    }
    if let Some(help) = &finding.help {
        group = group.element(Weight::HELP.message(help.as_str()));
    }
    let fingerprint = format!("fingerprint {}", finding.fingerprint);
    group.element(Weight::NOTE.message(fingerprint))
}

fn with_place<'f>(group: Group<'f>, place: &'f Place, kind: AnnotationKind) -> Group<'f> {
    let excerpt = &place.excerpt;
    let annotation = kind.span(excerpt.start..excerpt.end);
    let annotation = annotation.label(place.label.as_str());
    let snippet = Snippet::source(excerpt.text.as_str()).line_start(place.line);
    if excerpt.is_cut {
        let origin = Origin::path(place.path());
        let origin = origin.line(place.line).char_column(place.column);
        group
            .element(origin)
            .element(snippet.annotation(annotation))
    } else {
        group.element(snippet.path(place.path()).annotation(annotation))
    }
}

fn summary(report: &Report, out: &mut String) {
    // Writing to a string does not fail, here and below.
    for document in &report.documents {
        let mut facts = vec![counted(document.operations, "operation")];
        if document.scenarios > 0 {
            facts.push(counted(document.scenarios, "scenario file"));
        }
        if document.machines > 0 {
            facts.push(counted(document.machines, "state machine"));
        }
        let against = report
            .base
            .as_ref()
            .map(|base| format!(" against {}", base.path));
        let against = against.unwrap_or_default();
        let _ = writeln!(out, "{}{against}: {}", document.path, facts.join(", "));
    }
    for verdict in &report.versions {
        let least = match (&verdict.least, verdict.is_enough) {
            (Some(least), false) => format!(", must be {least} or higher"),
            (None, _) => ", which is not a semantic version".to_owned(),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "version of {}: {} → {}, step {}{least}",
            verdict.of,
            verdict.base,
            verdict.revision,
            verdict.step.as_str()
        );
    }
    let counts = report.counts();
    let mut counted_parts = vec![
        counted(counts.error, "error"),
        counted(counts.warning, "warning"),
    ];
    if report.task == Task::Diff || counts.info > 0 {
        counted_parts.push(format!("{} info", counts.info));
    }
    if counts.accepted > 0 {
        counted_parts.push(format!("{} accepted", counts.accepted));
    }
    let outcome = match report.outcome() {
        Outcome::Clean => "clean",
        Outcome::Findings => "findings",
        Outcome::Unreadable => "cannot be read",
    };
    let _ = writeln!(out, "{}: {outcome}", counted_parts.join(", "));
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
