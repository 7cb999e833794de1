//! Whether a generated crate compiles, and what that costs.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::cost;
use crate::process;

/// What came of `cargo check`, as the table shows it.
#[derive(Default)]
pub(super) struct Compilation {
    pub(super) outcome: String,
    pub(super) seconds: String,
    pub(super) megabytes: String,
}

/// Checks a crate: once to have its dependencies checked, and once more for itself alone.
pub(super) fn of(folder: &Path, features: &[&str], target: &Path) -> anyhow::Result<Compilation> {
    let first = cost::of(&mut check(folder, features, target))?;
    if first.complaint.is_some() {
        return Ok(Compilation {
            outcome: format!("no: {}", errors(&first.said)),
            ..Compilation::default()
        });
    }
    let root = folder.join("src/lib.rs");
    fs::write(&root, fs::read(&root)?)?;
    let second = cost::of(&mut check(folder, features, target))?;
    let (seconds, megabytes) = second.shown();
    Ok(Compilation {
        outcome: "yes".to_owned(),
        seconds,
        megabytes,
    })
}

fn check(folder: &Path, features: &[&str], target: &Path) -> Command {
    let mut command = process::cargo();
    command
        .args(["check", "--quiet"])
        .args(features)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0");
    command
}

/// How many errors the compiler counted.
fn errors(said: &str) -> String {
    let counted = said
        .lines()
        .rev()
        .find_map(|line| line.split_once("due to ").map(|(_, count)| count));
    let count = counted.and_then(|text| {
        text.split([' ', ';'])
            .find(|word| word.parse::<u64>().is_ok())
    });
    match count {
        Some(count) => format!("{count} errors"),
        None if counted.is_some() => "1 error".to_owned(),
        None => "its dependencies do not resolve".to_owned(),
    }
}
