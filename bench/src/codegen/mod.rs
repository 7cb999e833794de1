//! Compares Rust generators on the same documents, in one run.

pub(crate) mod compilation;
pub(crate) mod cost;
pub(crate) mod generator;
mod page;
mod ratio;
mod row;
mod wild;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::{machine, marks};
pub(crate) use cost::{Arguments as CostArguments, run as run_cost};
use generator::{GENERATORS, Generator};
use programs::workspace;
use row::{Row, Run};

/// Compare Rust generators on the same documents, in one run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the documents.
    #[arg(long, value_name = "DIR", default_value = "../shared/corpus")]
    documents: PathBuf,
    /// Only documents whose names contain one of these words.
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave out generators whose names contain one of these words.
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    without: Vec<String>,
    /// The folder in which the other generators are installed once; default: below target/.
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// How often each document is generated; the lowest CPU counts.
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: usize,
    /// Only generate; compile nothing.
    #[arg(long)]
    uncompiled: bool,
    /// The folder of documents of many publishers, which are counted.
    #[arg(long, value_name = "DIR", default_value = "../shared/wild")]
    wild: PathBuf,
    /// Count one document of `wild` in so many.
    #[arg(long, value_name = "N", default_value_t = 1)]
    wild_one_of: usize,
    /// Write the table to docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let documents = documents_of(&arguments.documents, &arguments.only)?;
    let folder = workspace::root().join("target/bench-codegen");
    fs::create_dir_all(&folder)?;
    let programs = arguments.programs.as_ref().unwrap_or(&folder);
    let programs = std::path::absolute(programs)?;
    let mut left_out = Vec::new();
    let mut ready = Vec::new();
    for generator in wanted(arguments) {
        match generator.install(&programs) {
            Ok(program) => ready.push((generator, program)),
            Err(error) => left_out.push(format!("{} is left out: {error:#}", generator.name)),
        }
    }
    let facts = machine::facts()?;
    let mut rows = Vec::new();
    for document in &documents {
        let runs = ready
            .iter()
            .map(|(generator, program)| Run::new(document, generator, program, &folder));
        rows.extend(of(runs.collect(), arguments)?);
    }
    let mut text = page::table(&facts, &rows, &left_out);
    text += &wild::table(arguments, &ready, &folder)?;
    println!("{text}");
    if arguments.write {
        marks::write(
            &workspace::root().join("docs/benchmarks.md"),
            "codegen",
            &text,
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The rows of one document: the generators take turns, then each crate is compiled.
fn of(mut runs: Vec<Run<'_>>, arguments: &Arguments) -> anyhow::Result<Vec<Row>> {
    for _ in 0..arguments.runs.max(1) {
        for run in &mut runs {
            run.generate()?;
        }
    }
    let mut rows = Vec::new();
    for run in runs {
        let row = run.row(!arguments.uncompiled)?;
        eprintln!("{row}");
        rows.push(row);
    }
    Ok(rows)
}

fn wanted(arguments: &Arguments) -> impl Iterator<Item = &'static Generator> {
    let kept = |generator: &&Generator| {
        let mut words = arguments.without.iter();
        !words.any(|word| generator.name.contains(word))
    };
    GENERATORS.iter().filter(kept)
}

/// The documents of a folder, or those whose names contain one of the words.
fn documents_of(folder: &Path, only: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("failed to read the documents in {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path().canonicalize()?;
        let is_document = path
            .extension()
            .is_some_and(|it| it == "json" || it == "yaml");
        let name = stem(&path);
        let is_selected = only.is_empty() || only.iter().any(|it| name.contains(it));
        if is_document && is_selected {
            found.push(path);
        }
    }
    found.sort();
    anyhow::ensure!(!found.is_empty(), "no document in {}", folder.display());
    Ok(found)
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
