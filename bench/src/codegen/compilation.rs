//! Measures whether a generated crate compiles, and the cost.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::cost;
use programs::process;

/// Seconds of user CPU and megabytes at the peak, or the number of compiler errors.
pub(crate) type Compilation = Result<(f64, u64), String>;

/// Checks only the crate itself: its dependencies are checked before, with an empty crate.
pub(crate) fn of(folder: &Path, features: &[&str], target: &Path) -> anyhow::Result<Compilation> {
    let root = folder.join("src/lib.rs");
    let text = fs::read(&root)?;
    fs::write(&root, "")?;
    let dependencies = cost::of(&mut check(folder, features, target));
    fs::write(&root, text)?;
    if dependencies?.complaint.is_some() {
        return Ok(Err("its dependencies do not resolve".to_owned()));
    }
    let cost = cost::of(&mut check(folder, features, target))?;
    Ok(match cost.complaint {
        Some(_) => Err(errors(&cost.output)),
        None => Ok((cost.user, cost.megabytes)),
    })
}

fn check(folder: &Path, features: &[&str], target: &Path) -> Command {
    let mut command = process::cargo();
    command
        .args(["check", "--quiet", "--lib"])
        .args(features)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_INCREMENTAL", "0");
    command
}

/// The number of compiler errors, in words.
fn errors(output: &str) -> String {
    let counted = output
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
        None => "the compiler stops".to_owned(),
    }
}
