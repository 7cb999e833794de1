//! `cargo xtask crates`: the crate of each document compiles without a warning, and stands alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use crate::{generate, process, workspace};

/// Generate a crate for each document, inside a workspace that is not its own, and demand that it
/// compiles with all features and without a warning.
///
/// Exit code: 0 all do, 1 some do not.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents, YAML or JSON.
    #[arg(required = true, value_name = "FILE")]
    documents: Vec<PathBuf>,
    /// Where the crates are written and built.
    #[arg(long, value_name = "DIR", default_value = "target/crates")]
    out: PathBuf,
}

/// A workspace with a member of its own, around the crates.
const AROUND: &str = "[workspace]\nmembers = [\"member\"]\nresolver = \"3\"\n";
const MEMBER: &str = "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let out = std::path::absolute(&arguments.out)?;
    fs::create_dir_all(out.join("member/src"))?;
    fs::write(out.join("Cargo.toml"), AROUND)?;
    fs::write(out.join("member/Cargo.toml"), MEMBER)?;
    fs::write(out.join("member/src/lib.rs"), "")?;
    println!("| document | lines | compiles, client and server | its own workspace |");
    println!("|---|---|---|---|");
    let mut good = true;
    for document in &arguments.documents {
        good &= try_document(document, &out)?;
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
    if !generate::as_printed(document, &folder)? {
        println!("| {name} | | **no**: it has errors | |");
        return Ok(false);
    }
    // The same versions as here, so that nothing is downloaded.
    fs::copy(
        workspace::root().join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )?;
    let told = check(&folder, &out.join("target"))?;
    let complaints = told.lines().filter(|line| is_complaint(line)).count();
    eprint!("{told}");
    let alone = workspace_of(&folder)? == folder.canonicalize()?;
    let lines = workspace::lines(&folder.join("src"))?;
    let compiles = if complaints == 0 {
        "without a warning".to_owned()
    } else {
        format!("**no**: {complaints} warnings and errors")
    };
    let word = if alone { "yes" } else { "**no**" };
    println!("| {name} | {lines} | {compiles} | {word} |");
    Ok(complaints == 0 && alone)
}

/// What the compiler says of a crate; all crates share what they depend on.
fn check(folder: &Path, target: &Path) -> anyhow::Result<String> {
    let mut cargo = process::cargo();
    cargo.args(["check", "--quiet", "--all-features"]);
    let output = said(cargo.current_dir(folder).env("CARGO_TARGET_DIR", target))?;
    Ok(String::from_utf8_lossy(&output.stderr).into_owned())
}

fn is_complaint(line: &str) -> bool {
    line.starts_with("warning") || line.starts_with("error")
}

/// The folder of the workspace that cargo finds for a crate.
fn workspace_of(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut cargo = process::cargo();
    cargo.args(["locate-project", "--workspace", "--message-format", "plain"]);
    let output = said(cargo.current_dir(folder))?;
    ensure!(output.status.success(), "cargo finds no workspace");
    let manifest = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    let found = manifest.parent().context("a manifest lies in a folder")?;
    Ok(found.canonicalize()?)
}

fn said(cargo: &mut Command) -> anyhow::Result<std::process::Output> {
    cargo.output().context("cargo cannot be started")
}
