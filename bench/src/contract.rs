//! Compares the gate with other linters and diff tools on the same documents, in one run.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

use crate::codegen::cost::{self, Cost};
use crate::{machine, marks};
use programs::{build, process, workspace};

/// Packages of the Node registry, in their current versions.
const PACKAGES: [&str; 2] = ["@redocly/cli@latest", "@stoplight/spectral-cli@latest"];

/// The ruleset of Spectral.
const RULESET: &str = "extends: [\"spectral:oas\"]\n";

const HEAD: &str =
    "| document | task | program | CPU s | MB | ours : it |\n|---|---|---|---|---|---|\n";

/// Compare lint and diff with Redocly, Spectral and oasdiff, in one run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The documents.
    #[arg(required = true, value_name = "FILE")]
    documents: Vec<PathBuf>,
    /// The folder in which the other tools are installed once; default: below target/.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// How often each tool runs; the lowest CPU counts.
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: usize,
    /// Write the table to docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

/// A program for a task.
struct Entry {
    task: &'static str,
    program: &'static str,
    command: Command,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = workspace::root().join("target/bench-contract");
    fs::create_dir_all(&folder)?;
    let programs = arguments.programs.as_ref().unwrap_or(&folder);
    let programs = std::path::absolute(programs)?;
    let mut build = process::cargo();
    process::run(build.args(["build", "--quiet", "--release", "-p", "contract"]))?;
    let mut left_out = Vec::new();
    if let Err(error) = install(&programs) {
        left_out.push(format!("Redocly and Spectral are left out: {error:#}"));
    }
    if !is_there("oasdiff") {
        left_out.push("oasdiff is left out: it is not on the PATH".to_owned());
    }
    let mut text = format!("{}\n\n{HEAD}", machine::facts()?);
    for document in &arguments.documents {
        let document = document
            .canonicalize()
            .with_context(|| format!("{}", document.display()))?;
        let changed = changed(&document, &folder)?;
        let entries = entries(&document, &changed, &programs, &folder);
        rows(&document, entries, arguments.runs, &mut text)?;
    }
    for line in left_out {
        let _ = writeln!(text, "\n{line}");
    }
    println!("{text}");
    if arguments.write {
        let page = workspace::root().join("docs/benchmarks.md");
        marks::write(&page, "contract", &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a program can be started.
fn is_there(program: &str) -> bool {
    let version = Command::new(program).arg("--version").output();
    version.is_ok_and(|version| version.status.success())
}

/// Installs the packages of the Node registry, unless they are installed.
fn install(programs: &Path) -> anyhow::Result<()> {
    ensure!(is_there("npm"), "there is no npm");
    if programs.join("node_modules/.bin/redocly").exists() {
        return Ok(());
    }
    fs::create_dir_all(programs)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"]);
    process::run(npm.arg(programs).args(PACKAGES))
}

/// A copy of the document in which each integer became a number: a change in many places.
fn changed(document: &Path, folder: &Path) -> anyhow::Result<PathBuf> {
    let text = fs::read_to_string(document)?;
    let name = document.file_name().unwrap_or_default();
    let path = folder.join("changed").join(name);
    fs::create_dir_all(folder.join("changed"))?;
    fs::write(&path, text.replace("integer", "number"))?;
    Ok(path)
}

/// The commands for a document.
fn entries(document: &Path, changed: &Path, programs: &Path, folder: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut add = |task, program, command: Command| {
        entries.push(Entry {
            task,
            program,
            command,
        });
    };
    let ours = |words: &[&str]| {
        let mut command = Command::new(build::release("contract"));
        command.args(words).current_dir(folder);
        command.args(["--output", "json", "--fail-on", "never"]);
        command
    };
    let mut lint = ours(&["lint"]);
    lint.arg(document);
    add("lint", "ours", lint);
    let node = programs.join("node_modules/.bin");
    if node.join("redocly").exists() {
        let mut redocly = Command::new(node.join("redocly"));
        redocly.arg("lint").arg(document).args(["--format", "json"]);
        redocly.current_dir(folder);
        add("lint", "Redocly", redocly);
    }
    if node.join("spectral").exists() && fs::write(folder.join("ruleset.yaml"), RULESET).is_ok() {
        let mut spectral = Command::new(node.join("spectral"));
        spectral
            .arg("lint")
            .arg(document)
            .args(["--format", "json", "--ruleset"]);
        spectral
            .arg(folder.join("ruleset.yaml"))
            .current_dir(folder);
        add("lint", "Spectral", spectral);
    }
    let mut diff = ours(&["diff"]);
    diff.arg(document).arg(changed);
    add("diff", "ours", diff);
    if is_there("oasdiff") {
        let mut oasdiff = Command::new("oasdiff");
        oasdiff
            .args(["changelog", "--format", "json"])
            .arg(document)
            .arg(changed);
        add("diff", "oasdiff", oasdiff);
    }
    entries
}

/// Runs all programs in turns; the lowest CPU of each counts.
fn rows(
    document: &Path,
    mut entries: Vec<Entry>,
    runs: usize,
    text: &mut String,
) -> anyhow::Result<()> {
    let mut least: Vec<Option<Cost>> = entries.iter().map(|_| None).collect();
    for _ in 0..runs.max(1) {
        for (entry, best) in entries.iter_mut().zip(&mut least) {
            let cost = cost::of(&mut entry.command)?;
            if best.as_ref().is_none_or(|best| cost.seconds < best.seconds) {
                *best = Some(cost);
            }
        }
    }
    let name = document.file_stem().unwrap_or_default().to_string_lossy();
    let seconds = |task: &str| {
        let mut all = entries.iter().zip(&least);
        let found = all.find(|(item, _)| item.task == task && item.program == "ours");
        found
            .and_then(|(_, cost)| cost.as_ref())
            .map(|cost| cost.seconds)
    };
    for (entry, cost) in entries.iter().zip(&least) {
        let (Some(cost), Some(ours)) = (cost, seconds(entry.task)) else {
            continue;
        };
        let ratio = match entry.program {
            "ours" => String::new(),
            _ => format!("**{:.0} %**", 100.0 * ours / cost.seconds),
        };
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {:.2} | {} | {ratio} |",
            entry.task, entry.program, cost.seconds, cost.megabytes
        );
    }
    Ok(())
}
