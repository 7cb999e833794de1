//! `cargo xtask round-trips`: the generated client calls the generated server with every example of
//! the given documents.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;

use crate::{generate, process, workspace};

/// Generate a crate for each document, and let its client call its server, over a socket, with every
/// documented example; what has no example is made up.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON.
    #[arg(required = true, value_name = "FILE")]
    documents: Vec<PathBuf>,
    /// Where the crates are written and built.
    #[arg(long, value_name = "DIR", default_value = "target/round-trips")]
    out: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut good = true;
    println!("| document | exchanges | of them both made up | examples left out | passed |");
    println!("|---|---|---|---|---|");
    for document in &arguments.documents {
        good &= try_document(document, &arguments.out)?;
    }
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn try_document(document: &Path, out: &Path) -> anyhow::Result<bool> {
    let name = document.file_stem().context("a document has a name")?;
    let name = name.to_string_lossy().to_lowercase().replace('_', "-");
    let folder = out.join(&name);
    let Some(left_out) = generate::with_round_trips(document, &folder)? else {
        return Ok(false);
    };
    // The same versions as here, so that nothing is downloaded.
    std::fs::copy(
        workspace::root().join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )?;
    let mut cargo = process::cargo();
    cargo.args(["test", "--quiet", "--test", "round_trips"]);
    let passed = test(cargo.current_dir(&folder), out)?;
    let text = std::fs::read_to_string(folder.join("tests/round_trips.rs"))?;
    let names = || {
        text.lines()
            .filter(|line| line.trim_start().starts_with("name: \""))
    };
    let made_up = |line: &&str| !line.contains('`');
    let (all, made_up) = (names().count(), names().filter(made_up).count());
    let passed_word = if passed { "yes" } else { "**no**" };
    println!("| {name} | {all} | {made_up} | {left_out} | {passed_word} |");
    Ok(passed)
}

/// All crates share what they depend on.
fn test(cargo: &mut Command, out: &Path) -> anyhow::Result<bool> {
    let target = std::path::absolute(out)?.join("target");
    cargo.env("CARGO_TARGET_DIR", target).stdout(Stdio::null());
    let status = cargo.status().context("cargo cannot be started")?;
    Ok(status.success())
}
