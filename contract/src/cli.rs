//! Command line of `contract`, which `cargo xtask` shares.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use jiff::civil::Date;

use crate::baseline::TERM;
use crate::bundle::Format;
use crate::config::FailOn;
use crate::generate;
use crate::input::Overlays;
use crate::output::Output;

/// Gates changes of an `OpenAPI` document.
#[derive(Debug, Parser)]
#[command(
    name = "contract",
    version,
    about = "Gates changes of an OpenAPI document",
    after_help = "\
Examples:
  contract lint openapi.yaml
  contract diff main:openapi.yaml openapi.yaml
  contract diff --output terminal --output sarif=contract.sarif --output html=contract.html

contract.toml sets defaults for these commands; docs/gate.md is a tutorial.

Exit codes: 0 clean, 1 findings, 2 usage (also: a configuration or baseline that cannot be used), 3 a
document or revision cannot be read, or a file not written."
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Lint documents.
    #[command(after_help = "\
Examples:
  contract lint openapi.yaml
  contract lint openapi.yaml --fail-on warning --output github
  contract lint openapi.yaml --fix
  contract lint openapi.yaml --accept 'older clients send it'

Scenarios (`scenarios/*.arazzo.yaml`) and `behaviour.yaml` beside a document are linted too.

Exit codes: 0 clean, 1 findings, 2 usage, 3 cannot read.")]
    Lint(LintArguments),
    /// Compare two revisions of a document: which clients a change breaks, where, and the version
    /// it needs.
    #[command(after_help = "\
Examples:
  contract diff                                       the document of contract.toml, against the merge base
  contract diff openapi.yaml                          a file, against the merge base
  contract diff main:openapi.yaml                     the file on disk, against main
  contract diff v1.2.0:openapi.yaml v1.3.0:openapi.yaml
  contract diff old.yaml new.yaml --output markdown=CHANGES.md

A document is a file or REVISION:FILE; its other files come from the same revision. The merge base is
the commit where the branch left the default branch.

Exit codes: 0 clean, 1 findings, 2 usage, 3 cannot read.")]
    Diff(DiffArguments),
    /// Bundle a document of many files into one.
    #[command(after_help = "\
Examples:
  contract bundle openapi.yaml --out openapi.json
  contract bundle openapi.yaml --out bundle.yaml
  contract bundle main:openapi.yaml --format yaml

Exit codes: 0 done, 2 usage, 3 cannot read or write.")]
    Bundle {
        /// The document: a file, or REVISION:FILE.
        document: String,
        /// The file to write [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// The format [default: by the ending of --out, else JSON].
        #[arg(long, value_enum)]
        format: Option<Format>,
        /// Overlays of the document.
        #[command(flatten)]
        overlays: Overlays,
    },
    /// Write a document after applying overlays.
    #[command(after_help = "\
Examples:
  contract overlay openapi.yaml mended.overlay.yaml --out mended.yaml
  contract overlay openapi.yaml first.overlay.yaml second.overlay.yaml

Every other command takes the overlays itself: contract lint openapi.yaml --overlay mended.overlay.yaml

Exit codes: 0 done, 2 usage, 3 cannot read or write, or an overlay does not fit the document.")]
    Overlay {
        /// The document: a file, or REVISION:FILE.
        document: String,
        /// The overlays, in the order in which they are applied.
        #[arg(required = true, value_name = "OVERLAY")]
        overlays: Vec<PathBuf>,
        /// The file to write [default: standard output].
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// The format [default: by the ending of --out, else JSON].
        #[arg(long, value_enum)]
        format: Option<Format>,
    },
    /// Write the Rust crate of a document: models, client and server.
    #[command(after_help = "\
Examples:
  contract generate openapi.yaml --out client
  contract generate openapi.yaml --out client --check

Exit codes: 0 done or current, 1 not current or the document has errors, 3 cannot read or write.")]
    Generate(generate::Arguments),
    /// Explain a rule; without an id, list all rules.
    Explain {
        /// The id, as findings show it.
        id: Option<String>,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the JSON Schema of the output `json`.
    Schema,
}

/// The arguments of `lint`.
#[derive(Debug, Clone, Default, Args)]
pub struct LintArguments {
    /// The documents: files, or REVISION:FILE [default: those of contract.toml].
    #[arg(value_name = "FILE")]
    pub documents: Vec<String>,
    /// Apply the safe fixes of findings, then report the rest.
    #[arg(long)]
    pub fix: bool,
    /// The options of the gate.
    #[command(flatten)]
    pub judging: Judging,
}

/// The arguments of `diff`.
#[derive(Debug, Clone, Default, Args)]
pub struct DiffArguments {
    /// The old document: a file or REVISION:FILE. A single file is the new document.
    pub base: Option<String>,
    /// The new document.
    pub revision: Option<String>,
    /// The git revision to compare with when the old document is omitted [default: the merge base
    /// with the default branch].
    #[arg(long = "base", value_name = "REVISION", conflicts_with = "revision")]
    pub since: Option<String>,
    /// The manifest of a crate that is generated from the document; its version is checked too.
    #[arg(long = "crate", value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// The options of the gate.
    #[command(flatten)]
    pub judging: Judging,
}

/// The options of the gate, and the outputs.
#[derive(Debug, Clone, Default, Args)]
pub struct Judging {
    /// The configuration [default: contract.toml, if present].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// The lowest level that fails the run [default: error].
    #[arg(long, value_name = "LEVEL", value_parser = fail_on)]
    pub fail_on: Option<FailOn>,
    /// The file of accepted findings [default: contract.baseline.toml, if present].
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Add the findings that fail the run to the baseline, with this reason.
    #[arg(long, value_name = "REASON")]
    pub accept: Option<String>,
    /// Overlays of the documents.
    #[command(flatten)]
    pub overlays: Overlays,
    /// The end date of the accepted findings.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "accept", help = format!("The end date of the accepted findings [default: in {TERM} days]"))]
    pub expires: Option<Date>,
    /// An output and its file: terminal, json, sarif, github (a folder), markdown or html. Repeatable
    /// [default: terminal].
    #[arg(long, value_name = "FORMAT[=PATH]", value_parser = Output::parse)]
    pub output: Vec<Output>,
    /// The day of the run.
    #[arg(long, value_name = "YYYY-MM-DD", hide = true)]
    pub today: Option<Date>,
}

fn fail_on(word: &str) -> Result<FailOn, String> {
    FailOn::parse(word).ok_or_else(|| format!("it is one of {}", FailOn::WORDS.join(", ")))
}
