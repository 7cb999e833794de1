//! The command line, which `cargo xtask` shares.

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

What holds for all of these stands in contract.toml; docs/gate.md tells how to begin.

Exit codes: 0 clean, 1 findings, 2 usage (also: a configuration or baseline that cannot be used), 3 a
document or revision cannot be read, or a file not written."
)]
pub struct Cli {
    /// What is to be done.
    #[command(subcommand)]
    pub command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Hold documents to rules.
    #[command(after_help = "\
Examples:
  contract lint openapi.yaml
  contract lint openapi.yaml --fail-on warning --output github
  contract lint openapi.yaml --fix
  contract lint openapi.yaml --accept 'older clients send it'

Scenarios (`scenarios/*.arazzo.yaml`) and `behaviour.yaml` beside a document are held to theirs.

Exit codes: 0 clean, 1 findings, 2 usage, 3 cannot read.")]
    Lint(LintArguments),
    /// Compare a document with what it was: who breaks, where, and what the version has to become.
    #[command(after_help = "\
Examples:
  contract diff                                       what contract.toml names, against the merge base
  contract diff openapi.yaml                          a file against what it was at the merge base
  contract diff main:openapi.yaml                     what is on the disk against main's
  contract diff v1.2.0:openapi.yaml v1.3.0:openapi.yaml
  contract diff old.yaml new.yaml --output markdown=CHANGES.md

A document is a file, or REVISION:FILE as git reads it; files that it refers to are taken from the same
revision. The merge base is where the checkout left the default branch.

Exit codes: 0 clean, 1 findings, 2 usage, 3 cannot read.")]
    Diff(DiffArguments),
    /// Bring a document of many files into one.
    #[command(after_help = "\
Examples:
  contract bundle openapi.yaml --out openapi.json
  contract bundle openapi.yaml --out bundle.yaml
  contract bundle main:openapi.yaml --format yaml

Exit codes: 0 done, 2 usage, 3 cannot read or write.")]
    Bundle {
        /// The document: a file, or REVISION:FILE.
        document: String,
        /// The file to write; standard output where it is left out.
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// How it is written [default: by the ending of --out, else JSON].
        #[arg(long, value_enum)]
        format: Option<Format>,
        /// Overlays of the document.
        #[command(flatten)]
        overlays: Overlays,
    },
    /// Write a document as overlays change it.
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
        /// The file to write; standard output where it is left out.
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// How it is written [default: by the ending of --out, else JSON].
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
    /// Say what a rule is about; without an id, list all of them.
    Explain {
        /// The id, as findings have it.
        id: Option<String>,
    },
    /// Print a script that completes this command's words in a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Print the JSON Schema of the output `json`.
    Schema,
}

/// The words of `lint`.
#[derive(Debug, Clone, Default, Args)]
pub struct LintArguments {
    /// The documents: files, or REVISION:FILE; those of contract.toml where none is given.
    #[arg(value_name = "FILE")]
    pub documents: Vec<String>,
    /// Make the safe fixes that findings offer, then tell what is left.
    #[arg(long)]
    pub fix: bool,
    /// How to judge.
    #[command(flatten)]
    pub judging: Judging,
}

/// The words of `diff`.
#[derive(Debug, Clone, Default, Args)]
pub struct DiffArguments {
    /// What was: a file or REVISION:FILE. A file alone is what is.
    pub base: Option<String>,
    /// What is.
    pub revision: Option<String>,
    /// The git revision to compare with, where no base document is given [default: the merge base
    /// with the default branch].
    #[arg(long = "base", value_name = "REVISION", conflicts_with = "revision")]
    pub since: Option<String>,
    /// The manifest of the crate that is generated from the document: its version is judged, too.
    #[arg(long = "crate", value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// How to judge.
    #[command(flatten)]
    pub judging: Judging,
}

/// How to judge and where to tell of it.
#[derive(Debug, Clone, Default, Args)]
pub struct Judging {
    /// The configuration [default: contract.toml, where there is one].
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What makes the run fail: findings from this level on [default: error].
    #[arg(long, value_name = "LEVEL", value_parser = fail_on)]
    pub fail_on: Option<FailOn>,
    /// The file of accepted findings [default: contract.baseline.toml, where there is one].
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Add what makes the run fail to the baseline, for this reason.
    #[arg(long, value_name = "REASON")]
    pub accept: Option<String>,
    /// Overlays of the documents.
    #[command(flatten)]
    pub overlays: Overlays,
    /// Until when what is accepted may stay.
    #[arg(long, value_name = "YYYY-MM-DD", requires = "accept", help = format!("Until when what is accepted may stay [default: in {TERM} days]"))]
    pub expires: Option<Date>,
    /// An output: terminal, json, sarif, github, markdown or html, and the file it goes to (of github
    /// the folder). May be given more than once [default: terminal].
    #[arg(long, value_name = "FORMAT[=PATH]", value_parser = Output::parse)]
    pub output: Vec<Output>,
    /// The day of the run.
    #[arg(long, value_name = "YYYY-MM-DD", hide = true)]
    pub today: Option<Date>,
}

fn fail_on(word: &str) -> Result<FailOn, String> {
    FailOn::parse(word).ok_or_else(|| format!("it is one of {}", FailOn::WORDS.join(", ")))
}
