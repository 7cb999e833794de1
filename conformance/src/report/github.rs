//! Writes output for GitHub Actions: workflow commands that annotate lines of the contract, and a
//! summary in Markdown.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::cause::{self, Cause};
use super::{Record, write as write_file};
use crate::because;
use crate::change;
use crate::event::CaseReport;
use crate::judge::Difference;
use crate::level::{Level, Verdict};

/// GitHub shows at most this many annotations of a kind for one step.
const MOST_OF_A_KIND: usize = 10;

/// GitHub accepts at most 1 MiB for the summary of a step.
const LONGEST_SUMMARY: usize = 1_000_000;

/// The greatest number of rows in each part of the summary.
const MOST_ROWS: usize = 100;

/// The greatest number of operations to name for a cause.
const MOST_OPERATIONS: usize = 4;

/// Writes both into a folder. Within a workflow, also appends the summary to
/// `$GITHUB_STEP_SUMMARY`.
///
/// # Errors
/// A file cannot be written.
pub fn write(record: &Record, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let summary = summary(record);
    let files = vec![
        write_file(folder, "annotations.txt", &annotations(record))?,
        write_file(folder, "summary.md", &summary)?,
    ];
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        let mut file = std::fs::OpenOptions::new();
        let mut file = file.create(true).append(true).open(path)?;
        file.write_all(summary.as_bytes())?;
    }
    Ok(files)
}

/// Workflow commands, the highest level first. The last one of each kind counts those beyond the
/// limit.
pub fn annotations(record: &Record) -> String {
    let mut text = String::new();
    for (level, kind) in [
        (Level::Must, "error"),
        (Level::Should, "warning"),
        (Level::May, "notice"),
    ] {
        let found: Vec<_> = record
            .differences()
            .filter(|(_, difference)| difference.level == level && difference.known.is_none())
            .collect();
        let shown = if found.len() > MOST_OF_A_KIND {
            MOST_OF_A_KIND - 1
        } else {
            found.len()
        };
        for (case, difference) in &found[..shown] {
            text.push_str(&annotation(kind, case, difference));
        }
        if found.len() > shown {
            let rest = found.len() - shown;
            // Writing to a string does not fail.
            let _ = writeln!(
                text,
                "::{kind} title=conformance::and {rest} more differences"
            );
        }
    }
    text
}

fn annotation(kind: &str, case: &CaseReport, difference: &Difference) -> String {
    let file = property(&openapi_document::repository::relative(
        &difference.spec.file,
    ));
    let title = property(&format!("{}: {}", case.id, difference.check.id));
    let place = match difference.pointer.as_str() {
        "" => String::new(),
        pointer => format!("{pointer}: "),
    };
    let because = because::lines(&difference.because);
    let answered = difference.answer.as_ref();
    let answered = answered.map_or_else(String::new, |item| format!("\nanswered {item}"));
    let changed = change::lines(&case.changes);
    let message = message(&format!(
        "{place}expected {}, got {}{answered}{changed}{because}",
        difference.expected, difference.actual
    ));
    let line = difference.spec.line;
    let column = difference.spec.column;
    let column = column.map_or_else(String::new, |item| format!(",col={item}"));
    format!("::{kind} file={file},line={line}{column},title={title}::{message}\n")
}

fn message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// The first source of a difference, and its place in the contract.
fn place_of(difference: &Difference, file: &str) -> String {
    let place = code(&difference.spec.within(file));
    let Some(first) = difference.because.first() else {
        return place;
    };
    format!("{} at {place}: {}", first.evidence, code(&first.words))
}

/// The observed value, with the cause that a refusal names.
fn observed(difference: &Difference) -> String {
    match &difference.answer {
        Some(answer) => format!("{} {}", code(&difference.actual), code(&answer.to_string())),
        None => code(&difference.actual),
    }
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

/// The summary of the step.
pub fn summary(record: &Record) -> String {
    let mut text = String::new();
    let counts = &record.counts;
    let verdict = counts.verdict();
    let sign = if verdict == Verdict::Pass {
        "✅"
    } else {
        "❌"
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "## {sign} Conformance: {}\n", verdict.as_str());
    if let Some(start) = &record.start {
        let _ = writeln!(
            text,
            "{} against {} as {}, profile {}, seed {}.\n",
            code(&start.title),
            code(&start.url),
            code(&start.name),
            start.profile,
            start.seed
        );
    }
    text.push_str("| cases | pass | warn | fail | skip | error | requests | time |\n");
    text.push_str("|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {} | {} ms |",
        counts.total(),
        counts.pass,
        counts.warn,
        counts.fail,
        counts.skip,
        counts.error,
        record.finish.as_ref().map_or(0, |finish| finish.requests),
        record.duration_ms()
    );
    unreached(&mut text, record);
    untested(&mut text, record);
    table(&mut text, record);
    skips(&mut text, record);
    text
}

fn table(text: &mut String, record: &Record) {
    let causes = cause::causes(&record.cases);
    if causes.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n### Differences by cause\n");
    text.push_str("| level | check | where | operations | findings | expected | got | because |\n");
    text.push_str("|---|---|---|---|---:|---|---|---|\n");
    for cause in causes.iter().take(MOST_ROWS) {
        let (case, difference) = cause.example;
        let file = openapi_document::repository::relative(&difference.spec.file);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            cause.level,
            code(difference.check.id),
            code(&cause.pointers().join(", ")),
            operations(cause, &case.id),
            cause.count,
            code(&difference.expected),
            observed(difference),
            place_of(difference, &file)
        );
        if text.len() > LONGEST_SUMMARY {
            break;
        }
    }
    if causes.len() > MOST_ROWS {
        let _ = writeln!(text, "\nand {} more.", causes.len() - MOST_ROWS);
    }
}

/// The operations of a cause, and the case that shows it.
fn operations(cause: &Cause<'_>, case: &str) -> String {
    let operations = cause.operations();
    let shown = operations.iter().take(MOST_OPERATIONS);
    let shown: Vec<String> = shown.map(|shown| code(shown)).collect();
    let more = match operations.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}, such as {}", shown.join(", "), code(case))
}

fn unreached(text: &mut String, record: &Record) {
    let all: Vec<_> = record.unreached().collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n<details><summary>Operations that never succeeded, of which little was tried: {}</summary>\n",
        all.len()
    );
    for case in all.iter().take(MOST_ROWS) {
        let reason = case.reason.as_deref().unwrap_or_default();
        let _ = writeln!(text, "* {}: {}", code(&case.operation_id), code(reason));
    }
    text.push_str("\n</details>\n");
}

fn untested(text: &mut String, record: &Record) {
    let untested = record.untested();
    let list = untested.list();
    if list.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n<details><summary>Stated facts that were not tested: {} of {}</summary>\n",
        list.len(),
        untested.stated()
    );
    for (fact, why) in list.iter().take(MOST_ROWS) {
        let _ = writeln!(
            text,
            "* {}: {} ({})",
            code(fact),
            code(&why.reason),
            code(&why.case)
        );
    }
    text.push_str("\n</details>\n");
}

fn skips(text: &mut String, record: &Record) {
    let skipped = record
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Skip);
    let skipped: Vec<_> = skipped.collect();
    if skipped.is_empty() {
        return;
    }
    let _ = writeln!(
        text,
        "\n<details><summary>Skipped, which is no proof of conformance: {}</summary>\n",
        skipped.len()
    );
    for case in skipped.iter().take(MOST_ROWS) {
        let reason = case.reason.as_deref().unwrap_or_default();
        let _ = writeln!(text, "* {}: {}", code(&case.id), code(reason));
    }
    text.push_str("\n</details>\n");
}

/// A text as a code span in Markdown, also within a table.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let plain = text.replace(['\n', '\r'], " ").replace('|', "\\|");
    let runs = plain.split(|char| char != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let pad = if plain.starts_with('`') || plain.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{plain}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample;

    #[test]
    fn annotations_beyond_the_limit_are_counted() {
        for (found, lines, last) in [(10, 10, "/9: expected"), (25, 10, "and 16 more")] {
            let text = annotations(&sample::record(found, Level::Must, "x"));
            assert_eq!(text.lines().count(), lines);
            let end = text.lines().last().unwrap();
            assert!(end.starts_with("::error ") && end.contains(last), "{end}");
        }
        assert!(annotations(&sample::record(1, Level::Should, "x")).starts_with("::warning "));
    }

    #[test]
    fn texts_of_a_server_are_neither_commands_nor_markup() {
        let record = sample::record(1, Level::Must, "100%\n::error::|`x` <b>\r");
        let text = annotations(&record);
        assert_eq!(text.lines().count(), 1);
        assert!(text.contains("a%3Ab%2Cc.yaml,line=7,"), "{text}");
        assert!(text.contains("100%25%0A::error::|`x` <b>%0D"), "{text}");
        let summary = summary(&record);
        assert!(
            summary.contains("| ``100% ::error::\\|`x` <b> `` |"),
            "{summary}"
        );
    }

    #[test]
    fn a_long_summary_ends_in_time() {
        let mut record = sample::record(500, Level::Must, &"x".repeat(20_000));
        let differences = &mut record.cases[0].differences;
        for (line, difference) in differences.iter_mut().enumerate() {
            difference.spec.line = line;
        }
        let text = summary(&record);
        assert!(text.len() < LONGEST_SUMMARY + 50_000, "{}", text.len());
        assert!(text.contains("and 400 more"), "{}", text.len());
    }
}
