//! GitHub: writes workflow commands that annotate lines, and a step summary.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use super::{markdown, write as write_file};
use crate::finding::{Finding, Side};
use crate::level::Level;
use crate::report::Report;

/// The maximum number of annotations of a kind that GitHub shows for a step.
const MOST_OF_A_KIND: usize = 10;

/// The maximum length of a step summary, below GitHub's limit of 1 MiB.
const LONGEST_SUMMARY: usize = 1_000_000;

/// Writes annotations and summary to a folder. In a workflow, the summary is also added to the
/// step.
///
/// # Errors
/// A file cannot be written.
pub fn write(report: &Report, folder: &Path) -> io::Result<()> {
    write_file(&folder.join("annotations.txt"), &annotations(report))?;
    write_file(&folder.join("summary.md"), &summary(report))?;
    summarize(report)
}

/// Adds the summary to the step summary, if it runs in a workflow.
///
/// # Errors
/// The file cannot be written.
pub fn summarize(report: &Report) -> io::Result<()> {
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        let mut file = std::fs::OpenOptions::new();
        let mut file = file.create(true).append(true).open(path)?;
        file.write_all(summary(report).as_bytes())?;
    }
    Ok(())
}

/// The workflow commands. The last one of a kind counts those beyond the limit.
pub fn annotations(report: &Report) -> String {
    let mut text = String::new();
    for (level, kind) in [
        (Level::Error, "error"),
        (Level::Warning, "warning"),
        (Level::Info, "notice"),
    ] {
        let found = report.findings.iter();
        let found = found.filter(|finding| finding.counts() && finding.level == level);
        let found: Vec<&Finding> = found.collect();
        let shown = if found.len() > MOST_OF_A_KIND {
            MOST_OF_A_KIND - 1
        } else {
            found.len()
        };
        for finding in &found[..shown] {
            text.push_str(&annotation(kind, finding));
        }
        if found.len() > shown {
            let rest = found.len() - shown;
            // Writing to a string does not fail.
            let _ = writeln!(text, "::{kind} title=contract::and {rest} more findings");
        }
    }
    text
}

fn annotation(kind: &str, finding: &Finding) -> String {
    let title = property(&format!("{} {}", finding.rule, finding.fingerprint));
    let operation = finding.operation.as_deref().unwrap_or_default();
    let lead = if operation.is_empty() { "" } else { ": " };
    let help = finding.help.as_deref().unwrap_or_default();
    let end = if help.is_empty() { "" } else { "\n" };
    let text = message(&format!("{operation}{lead}{}{end}{help}", finding.title));
    // A line of the base does not exist in the checkout.
    let here = finding
        .places
        .iter()
        .find(|place| place.side == Side::Revision);
    let Some(place) = here else {
        return format!("::{kind} title={title}::{text}\n");
    };
    let file = property(&openapi_document::repository::relative(&place.file));
    let (line, column) = (place.line, place.column);
    format!("::{kind} file={file},line={line},col={column},title={title}::{text}\n")
}

fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// The step summary: the changelog, cut to the maximum length.
pub fn summary(report: &Report) -> String {
    let mut text = markdown::text(report);
    if text.len() > LONGEST_SUMMARY {
        let cut = text.floor_char_boundary(LONGEST_SUMMARY);
        let cut = text[..cut].rfind('\n').unwrap_or(cut);
        text.truncate(cut);
        text.push_str("\n\nThe summary was cut here.\n");
    }
    text
}
