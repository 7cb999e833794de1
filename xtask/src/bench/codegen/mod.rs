//! Generators of Rust side by side: the same documents, in one run.

mod compilation;
mod cost;
mod generator;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::bench::machine;
use crate::workspace;
use compilation::Compilation;
pub(crate) use cost::{Arguments as CostArguments, run as run_cost};
use generator::{GENERATORS, Generator};

/// Generators of Rust side by side: the same documents, in one run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the documents.
    #[arg(long, value_name = "DIR", default_value = "../shared/corpus")]
    documents: PathBuf,
    /// Only documents whose names contain one of these words.
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    only: Vec<String>,
    /// Leaves a generator out.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    without: Vec<String>,
    /// Generate only; compile nothing.
    #[arg(long)]
    uncompiled: bool,
    /// Put the table into docs/benchmarks.md.
    #[arg(long)]
    write: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let documents = documents(arguments)?;
    let folder = workspace::root().join("target/bench-codegen");
    fs::create_dir_all(&folder)?;
    let facts = machine::facts()?;
    let mut left_out = Vec::new();
    let mut ready = Vec::new();
    for generator in wanted(arguments) {
        match generator.install(&folder) {
            Ok(program) => ready.push((generator, program)),
            Err(error) => left_out.push(format!("{} is left out: {error:#}", generator.name)),
        }
    }
    let mut rows = Vec::new();
    for document in &documents {
        for (generator, program) in &ready {
            let run = Run {
                document,
                generator,
                program,
                folder: &folder,
            };
            let row = run.row(!arguments.uncompiled)?;
            eprintln!("{row}");
            rows.push(row);
        }
    }
    let text = page::table(&facts, &rows, &left_out);
    println!("{text}");
    if arguments.write {
        page::write(&workspace::root().join("docs/benchmarks.md"), &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn wanted(arguments: &Arguments) -> impl Iterator<Item = &'static Generator> {
    let left_out =
        |generator: &&Generator| !arguments.without.iter().any(|it| it == generator.name);
    GENERATORS.iter().filter(left_out)
}

fn documents(arguments: &Arguments) -> anyhow::Result<Vec<PathBuf>> {
    let folder = &arguments.documents;
    let entries = fs::read_dir(folder)
        .with_context(|| format!("failed to read the documents in {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path().canonicalize()?;
        let is_document = path
            .extension()
            .is_some_and(|it| it == "json" || it == "yaml");
        let name = stem(&path);
        let asked = arguments.only.is_empty() || arguments.only.iter().any(|it| name.contains(it));
        if is_document && asked {
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

/// One document and one generator.
struct Run<'a> {
    document: &'a Path,
    generator: &'static Generator,
    program: &'a Path,
    folder: &'a Path,
}

impl Run<'_> {
    /// Generates, counts, and compiles.
    fn row(&self, compiled: bool) -> anyhow::Result<String> {
        let document = stem(self.document);
        let out = self
            .folder
            .join("crates")
            .join(self.generator.folder)
            .join(generator::package(&document));
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        fs::create_dir_all(&out)?;
        let name = self.generator.name;
        let cost = cost::of(&mut self.generator.command(self.program, self.document, &out))?;
        if let Some(complaint) = &cost.complaint {
            return Ok(format!(
                "| {document} | {name} | no: {complaint} | | | | | | |"
            ));
        }
        self.generator.complete(&out, &document)?;
        let lines = lines(&out)?;
        let compilation = if compiled && self.generator.is_compiled {
            compilation::of(&out, self.generator.features, &self.folder.join("check"))?
        } else {
            Compilation::default()
        };
        let (seconds, megabytes) = cost.shown();
        Ok(format!(
            "| {document} | {name} | yes | {} | {seconds} | {megabytes} | {lines} | {} | {} |",
            compilation.outcome, compilation.seconds, compilation.megabytes
        ))
    }
}

/// The lines of all Rust files below a folder.
fn lines(folder: &Path) -> anyhow::Result<usize> {
    let mut count = 0;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            count += lines(&path)?;
        } else if path.extension().is_some_and(|it| it == "rs") {
            count += fs::read_to_string(&path)?.lines().count();
        }
    }
    Ok(count)
}
