//! Writes snapshots of differences: one file for each case that differs, to review with `cargo
//! insta review` or `conformance accept`. They never change a verdict.
//!
//! insta reads its settings from the environment and stops a test with a panic, which does not suit
//! a program. So a child process with the documented variables compares the snapshots.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};

use super::Record;
use crate::event::CaseReport;
use crate::judge::Difference;

/// The hidden subcommand that [`record`] starts.
pub const SUBCOMMAND: &str = "record-snapshots";

/// The input of the child process.
#[derive(Debug, Serialize, Deserialize)]
pub struct Order {
    /// The folder as an absolute path.
    folder: PathBuf,
    /// File name → text.
    snapshots: BTreeMap<String, String>,
}

/// Writes the differences of a run into `DIR/<name>/` with a child process of `executable`. Removes
/// the files of cases that no longer differ. Returns the number of cases that differ.
pub fn record(record: &Record, folder: &Path, executable: &Path) -> io::Result<usize> {
    let differing = |case: &&CaseReport| case.via.is_empty() && !case.differences.is_empty();
    let differing = record.cases.iter().filter(differing);
    let snapshots: BTreeMap<String, String> = differing
        .map(|case| (file_name(&case.id), text(case)))
        .collect();
    let decided = record.cases.iter().filter(|case| case.requests > 0);
    let clean = decided
        .map(|case| file_name(&case.id))
        .filter(|name| !snapshots.contains_key(name));
    remove(folder, &clean.collect())?;
    let count = snapshots.len();
    if count > 0 {
        std::fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        spawn(&Order { folder, snapshots }, executable)?;
    }
    Ok(count)
}

fn spawn(order: &Order, executable: &Path) -> io::Result<()> {
    let update = std::env::var("INSTA_UPDATE").unwrap_or_else(|_| "new".to_owned());
    let mut child = Command::new(executable)
        .arg(SUBCOMMAND)
        .env("INSTA_WORKSPACE_ROOT", &order.folder)
        .env("INSTA_UPDATE", update)
        .env("INSTA_FORCE_PASS", "1")
        .env("INSTA_OUTPUT", "none")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(&serde_json::to_vec(order)?)?;
    }
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    let reason = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(format!(
        "failed to record snapshots: {reason}"
    )))
}

/// Runs in the child process: reads an [`Order`], and lets insta compare and write.
pub fn execute_order(input: impl io::Read) -> io::Result<()> {
    let order: Order = serde_json::from_reader(input)?;
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&order.folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, text) in &order.snapshots {
            insta::assert_snapshot!(name.as_str(), text);
        }
    });
    Ok(())
}

/// Accepts every pending snapshot below a folder. Returns their number.
pub fn accept(folder: &Path) -> io::Result<usize> {
    let mut accepted = 0;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            accepted += accept(&path)?;
        } else if let Some(kept) = path
            .to_str()
            .and_then(|path| path.strip_suffix(".snap.new"))
        {
            let text = std::fs::read_to_string(&path)?;
            std::fs::write(format!("{kept}.snap"), without_assertion_line(&text))?;
            std::fs::remove_file(&path)?;
            accepted += 1;
        }
    }
    Ok(accepted)
}

/// insta keeps the line of the assertion only in pending snapshots.
fn without_assertion_line(text: &str) -> String {
    let is_kept = |line: &&str| !line.starts_with("assertion_line:");
    text.split_inclusive('\n').filter(is_kept).collect()
}

fn remove(folder: &Path, clean: &BTreeSet<String>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for name in clean {
        for ending in ["snap", "snap.new"] {
            match std::fs::remove_file(folder.join(format!("{name}.{ending}"))) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

fn file_name(id: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    id.replace('/', "__").chars().map(plain).collect()
}

fn text(case: &CaseReport) -> String {
    let mut text = format!("{}: {}\n", case.id, case.verdict.as_str());
    for difference in &case.differences {
        text.push('\n');
        write_difference(&mut text, difference);
    }
    text
}

fn write_difference(text: &mut String, difference: &Difference) {
    let place = match difference.pointer.as_str() {
        "" => String::new(),
        pointer => format!(" at {pointer}"),
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} {}{place}", difference.level, difference.check.id);
    let _ = writeln!(text, "  expected: {}", stable(&difference.expected));
    let _ = writeln!(text, "  actual:   {}", stable(&difference.actual));
}

/// A text with placeholders for values that change in each run; the placeholders show the form of
/// the value.
fn stable(text: &str) -> String {
    static VOLATILE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let parts = [
            r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[0-9.]*)",
            r"(?P<uuid>[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12})",
            r"(?P<key>-[0-9a-f]{8})\b",
            r"(?P<port>(?:127\.0\.0\.1|localhost|\[::1\]):\d+)",
            r"(?P<span>\b\d+ ms)",
        ];
        Regex::new(&parts.join("|")).ok()
    });
    let Some(volatile) = VOLATILE.as_ref() else {
        return text.to_owned();
    };
    let placeholder = |found: &Captures<'_>| {
        let is = |name| found.name(name).is_some();
        let whole = &found[0];
        if is("time") {
            whole.replace(|c: char| c.is_ascii_digit(), "9")
        } else if is("uuid") {
            uuid_placeholder(whole)
        } else if is("key") {
            "-[key]".to_owned()
        } else if is("port") {
            "[address]".to_owned()
        } else {
            "[n] ms".to_owned()
        }
    };
    volatile.replace_all(text, placeholder).into_owned()
}

fn uuid_placeholder(text: &str) -> String {
    let word = if text.contains(|c: char| c.is_ascii_uppercase()) {
        "UUID"
    } else {
        "uuid"
    };
    let hyphens = if text.contains('-') {
        ""
    } else {
        " without hyphens"
    };
    format!("[{word}{hyphens}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_change_in_each_run_are_replaced() {
        for (text, expected) in [
            ("6a112e4a-83d0-4dd8-8111-be242b8dc188", "[uuid]"),
            ("6A112E4A-83D0-4DD8-8111-BE242B8DC188", "[UUID]"),
            ("6a112e4a83d04dd88111be242b8dc188", "[uuid without hyphens]"),
            ("2026-11-04T10:00:00.12Z", "9999-99-99T99:99:99.99Z"),
            (
                "\"order-1001-3f9a1c0e\" as sent",
                "\"order-1001-[key]\" as sent",
            ),
            ("absent after 5003 ms", "absent after [n] ms"),
            ("10.00", "10.00"),
        ] {
            assert_eq!(stable(text), expected);
        }
        assert_eq!(
            file_name("createPurchase/201/a b"),
            "createPurchase__201__a_b"
        );
    }
}
