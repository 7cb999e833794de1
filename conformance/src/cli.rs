//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

mod facts;
mod heading;
mod hooks;
mod notified;
mod report_name;
mod run;
mod transport;

pub(crate) use facts::{FactsArguments, FactsFormat, RulingCommand};
pub(crate) use run::{FailOn, RunArguments};

/// Tests a server against its OpenAPI document.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "\
Example:
  conformance run --url http://127.0.0.1:8080 --header 'Authorization: KEY'

Exit codes:
  0  the server conforms
  1  the server differs
  2  a wrong option, or a document, scenario or configuration that cannot be used
  3  the server cannot be reached, or the runner failed"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Test a server against its contract.
    ///
    /// The run replays the examples and scenarios of the contract, and tests its laws and facts. It
    /// writes report.json and certificate.json.
    #[command(after_help = "\
Examples:
  conformance run --url http://127.0.0.1:8080 --header 'Authorization: KEY'
  conformance run --spec spec/openapi.yaml --url http://127.0.0.1:8080 --basic USER:PASSWORD \\
                  --area transactions,reports --profile complete
  conformance run --spec spec/openapi.yaml --url https://payments.example --config ours.toml --allow-writes

Differences in parts that the contract marks as inferred or proposed only warn. With --profile complete
they fail.

Exit codes:
  0  the server conforms
  1  the server differs
  2  a wrong option, or a document, scenario or configuration that cannot be used
  3  the server cannot be reached, or the runner failed")]
    Run(Box<RunArguments>),
    /// Run one case of an earlier run again, with its seed.
    #[command(after_help = "\
Example:
  conformance replay laws/histories/createPurchase -- --header 'Authorization: KEY'")]
    Replay {
        /// The case.
        id: String,
        /// The report of that run.
        #[arg(
            long,
            value_name = "FILE",
            default_value = "target/certify/report.json"
        )]
        from: PathBuf,
        /// Further options of `run`, such as credentials.
        #[arg(last = true)]
        options: Vec<String>,
    },
    /// Explain a check, a law, or a case of a report: what was found, what it rests on, and which requests tested it.
    /// Without an id, list all checks and laws.
    #[command(after_help = "\
Examples:
  conformance explain sum-exceeded
  conformance explain laws/sums/shipOrder --from target/certify/report.json")]
    Explain {
        /// The id, as reports have it.
        id: Option<String>,
        /// The report that has the case.
        #[arg(
            long,
            value_name = "FILE",
            default_value = "target/certify/report.json"
        )]
        from: PathBuf,
    },
    /// Show what the document and its behaviour file say about the service, and rule on what was only read.
    #[command(after_help = "\
Examples:
  conformance facts --spec api.yaml
  conformance facts --spec api.yaml --write
  conformance facts --spec api.yaml accept barred/cancelOrder/not-OPEN
  conformance facts --spec api.yaml --check

Exit codes: 0 done, 1 with --check where a fact was not looked at, 2 a file that cannot be used.")]
    Facts(FactsArguments),
    /// List the cases that a run would decide, those that test facts included, without any traffic. Laws add
    /// further ones while they run.
    List(Box<RunArguments>),
    /// Write the list of requirements of this version of the contract, as a run has decided them: what is
    /// demanded later warns at most. A list that is there is never changed: where more is demanded, another
    /// one is written.
    #[command(after_help = "\
Example:
  conformance requirements --from target/certify/report.json --folder spec/requirements

Exit codes: 0 done, 1 with --check where the newest list lacks something, 3 not done.")]
    Requirements {
        /// The report of a run of the whole contract.
        #[arg(
            long,
            value_name = "FILE",
            default_value = "target/certify/report.json"
        )]
        from: PathBuf,
        /// The folder of the lists, which are named for the contract's version.
        #[arg(long, value_name = "DIR", default_value = "requirements")]
        folder: PathBuf,
        /// Write nothing: tell what the newest list lacks.
        #[arg(long)]
        check: bool,
    },
    /// Write a configuration file with everything in it explained.
    Init {
        /// The file, which must not be there yet.
        #[arg(default_value = "conformance.toml")]
        file: PathBuf,
    },
    /// Write the contract within this program into a folder, to be read.
    Contract {
        /// The folder.
        #[arg(default_value = "contract")]
        folder: PathBuf,
    },
    /// Print a script that completes this command's words in a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Take every pending snapshot for good.
    Accept {
        /// The folder of snapshots.
        #[arg(long, value_name = "DIR", default_value = "conformance/snapshots")]
        snapshots: PathBuf,
    },
    /// Put the reports of all shards of a run together.
    #[command(after_help = "\
Example:
  conformance merge one/report.json two/report.json --out target/certify

Exit codes: those of the whole run.")]
    Merge {
        /// The report of each shard.
        #[arg(required = true)]
        reports: Vec<PathBuf>,
        /// The folder for the report of the whole.
        #[arg(long, value_name = "DIR", default_value = "target/certify")]
        out: PathBuf,
    },
    /// Print the JSON Schema of report.json, or of another output.
    Schema {
        /// Of which output.
        #[arg(value_enum, default_value = "report")]
        of: SchemaName,
    },
    /// Compare and write snapshots; started by `run` itself.
    #[command(hide = true)]
    RecordSnapshots,
}

/// An output that has a schema of ours.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaName {
    /// report.json.
    Report,
    /// certificate.json.
    Certificate,
    /// A line of events.ndjson.
    Events,
}
