//! Parses the command line.

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

/// What the exit codes of a run mean. A test compares it with docs/runner.md.
macro_rules! exit_codes {
    () => {
        "\
Exit codes:
  0  the server conforms: a case passed, none failed
  1  the server differs: a case failed, or none passed
  2  a wrong option, or a document, scenario or configuration that cannot be used
  3  no verdict: the server or the credential was lost, a hook failed, the contract contradicts
     itself, or an output cannot be written"
    };
}

/// Tests a server against its OpenAPI document.
#[derive(Debug, Parser)]
#[command(
    name = "conformance",
    version,
    after_help = concat!(
        "\
Example:
  conformance run --url http://127.0.0.1:8080 --header 'Authorization: KEY'

",
        exit_codes!()
    )
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Test a server against its contract.
    ///
    /// The run replays the examples and scenarios of the contract, and tests its laws and facts. It
    /// writes report.json and certificate.json.
    #[command(after_help = concat!("\
Examples:
  conformance run --url http://127.0.0.1:8080 --header 'Authorization: KEY'
  conformance run --spec spec/openapi.yaml --url http://127.0.0.1:8080 --basic USER:PASSWORD \\
                  --area transactions,reports --profile complete
  conformance run --spec spec/openapi.yaml --url https://payments.example --config ours.toml --allow-writes

Differences in parts that the contract marks as inferred or proposed only warn. With --profile complete
they fail.

", exit_codes!()))]
    Run(Box<RunArguments>),
    /// Run one case of an earlier run again, with the same seed.
    #[command(after_help = "\
Example:
  conformance replay laws/histories/createPurchase -- --header 'Authorization: KEY'")]
    Replay {
        /// The id of the case.
        id: String,
        /// The report of the earlier run.
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
    /// Explain a check, a law, or a case of a report: the finding, its reasons, and the requests
    /// that tested it. Without an id, list all checks and laws.
    #[command(after_help = "\
Examples:
  conformance explain sum-exceeded
  conformance explain laws/sums/shipOrder --from target/certify/report.json")]
    Explain {
        /// The id, as reports print it.
        id: Option<String>,
        /// The report that contains the case.
        #[arg(
            long,
            value_name = "FILE",
            default_value = "target/certify/report.json"
        )]
        from: PathBuf,
    },
    /// Show the facts of the document and its behaviour file, and accept or reject facts that the
    /// runner read.
    #[command(after_help = "\
Examples:
  conformance facts --spec api.yaml
  conformance facts --spec api.yaml --write
  conformance facts --spec api.yaml accept barred/cancelOrder/not-OPEN
  conformance facts --spec api.yaml --check

Exit codes: 0 done, 1 with --check if a fact is neither accepted nor rejected, 2 a file that cannot be used.")]
    Facts(FactsArguments),
    /// List the cases that a run would decide, including tests of facts, without sending requests.
    /// Laws add further cases while they run.
    List(Box<RunArguments>),
    /// Write the list of requirements of this version of the contract from the results of a run.
    /// Checks added after the list only warn. A list that exists is never changed: more
    /// requirements get a new list.
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
        /// The folder of the lists. Their names contain the contract's version.
        #[arg(long, value_name = "DIR", default_value = "requirements")]
        folder: PathBuf,
        /// Write nothing; print what the newest list lacks.
        #[arg(long)]
        check: bool,
    },
    /// Write a configuration file that explains every setting.
    Init {
        /// The file, which must not exist.
        #[arg(default_value = "conformance.toml")]
        file: PathBuf,
    },
    /// Write the contract within this program into a folder.
    Contract {
        /// The folder.
        #[arg(default_value = "contract")]
        folder: PathBuf,
    },
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Accept every pending snapshot.
    Accept {
        /// The folder of snapshots.
        #[arg(long, value_name = "DIR", default_value = "conformance/snapshots")]
        snapshots: PathBuf,
    },
    /// Merge the reports of all shards of a run into one.
    #[command(after_help = "\
Example:
  conformance merge one/report.json two/report.json --out target/certify

Exit codes: those of the whole run.")]
    Merge {
        /// The report of each shard.
        #[arg(required = true)]
        reports: Vec<PathBuf>,
        /// The folder of the merged report.
        #[arg(long, value_name = "DIR", default_value = "target/certify")]
        out: PathBuf,
    },
    /// Print the JSON Schema of report.json, or of another output.
    Schema {
        /// The output.
        #[arg(value_enum, default_value = "report")]
        of: SchemaName,
    },
    /// Compare and write snapshots; `run` starts this command itself.
    #[command(hide = true)]
    RecordSnapshots,
}

/// An output for which the runner has a JSON Schema.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaName {
    /// report.json.
    Report,
    /// certificate.json.
    Certificate,
    /// A line of events.ndjson.
    Events,
}
