//! The command line.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, Parser, Subcommand, ValueEnum};
use conformance::collect::Selection;
use conformance::config::Config;
use conformance::duration;
use conformance::level::Profile;
use conformance::report::Format;
use conformance::run::Options;

/// Names in lower case and values.
type Headers = Vec<(String, String)>;

/// They say how a request travels, which the runner decides.
const OF_THE_TRANSPORT: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

/// File systems allow no more than 255 bytes.
const LONGEST_NAME: usize = 100;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Replays the documented examples and scenarios of an OpenAPI document against a live server.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "\
Example:
  conformance run --spec spec/openapi.yaml --url http://127.0.0.1:8080 --header 'Authorization: KEY'

Exit codes: 0 conforms, 1 differs, 2 usage (also: a document, scenario or configuration that cannot be
used), 3 the target cannot be reached or the harness is broken."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What is to be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Certify a server.
    #[command(after_help = "\
Examples:
  conformance run --spec spec/openapi.yaml --url http://127.0.0.1:8080 --header 'Authorization: KEY'
  conformance run --spec spec/openapi.yaml --url http://127.0.0.1:8080 --basic USER:PASSWORD \\
                  --area transactions,payouts --profile complete
  conformance run --spec spec/openapi.yaml --url https://payments.example --config ours.toml --allow-writes

Where nothing in scope is documented, differences are reported and the server conforms all the same:
--profile complete makes all of the contract bind.

Exit codes: 0 conforms, 1 differs, 2 usage (also: a document, scenario or configuration that cannot be
used), 3 the target cannot be reached or the harness is broken.")]
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
    /// Say what a check or a law is about; without an id, list all of them.
    Explain {
        /// The id, as reports have it.
        id: Option<String>,
    },
    /// List the cases that a run would decide, without any traffic. Laws add theirs while they run.
    List(Box<RunArguments>),
    /// Write a configuration file with everything in it explained.
    Init {
        /// The file, which must not be there yet.
        #[arg(default_value = "conformance.toml")]
        file: PathBuf,
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

/// The options of a run.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The OpenAPI document: the main file of a multi-file source, or a bundle.
    #[arg(long, value_name = "FILE")]
    spec: PathBuf,
    /// The server's base address, `http://…` or `https://…`, which paths are appended to.
    #[arg(long)]
    url: String,
    /// The folder of Arazzo scenarios; default: `scenarios` beside the document.
    #[arg(long, value_name = "DIR")]
    scenarios: Option<PathBuf>,
    /// What is known of the records' behaviour; default: `behaviour.yaml` beside the document.
    #[arg(long, value_name = "FILE")]
    behaviour: Option<PathBuf>,
    /// Known deviations, which do not count; see conformance/README.md.
    #[arg(long, value_name = "FILE")]
    deviations: Option<PathBuf>,
    /// Add every difference that is not known yet to the file of known deviations.
    #[arg(long)]
    pub(crate) accept: bool,
    /// The only cases that are run and told of, by their ids; others run only where these need them.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    case: Vec<String>,
    /// Replay examples and scenarios only: try no laws.
    #[arg(long)]
    without_laws: bool,
    /// Areas in scope (first tags of operations); default: all.
    #[arg(long, value_name = "A,…", value_delimiter = ',')]
    area: Vec<String>,
    /// Operations in scope, by operationId; default: all.
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    operation: Vec<String>,
    /// Which parts of the contract bind.
    #[arg(long, value_enum)]
    profile: Option<ProfileName>,
    /// A header of every request, such as 'Authorization: KEY'; secret in all outputs. May be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// Credentials for HTTP Basic; secret in all outputs.
    #[arg(long, value_name = "USER:PASSWORD")]
    basic: Option<String>,
    /// A configuration file, see conformance/README.md.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Seed of natural keys and request ids; the same seed makes the same requests.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The time limit of one request with its answer, such as 10s, 500ms or PT10S. [default: 10s]
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// The name of the server under test, for snapshots and the report. [default: server]
    #[arg(long)]
    name: Option<String>,
    /// The folder of snapshots; a folder of the server's name is made in it.
    #[arg(long, value_name = "DIR", default_value = "conformance/snapshots")]
    pub(crate) snapshots: PathBuf,
    /// Send requests that change something to a server that is not on this machine.
    #[arg(long)]
    allow_writes: bool,
    /// The folder for report.json, certificate.json and what --report names.
    #[arg(long, value_name = "DIR", default_value = "target/certify")]
    pub(crate) out: PathBuf,
    /// Further outputs.
    #[arg(long, value_enum, value_name = "FORMAT,…", value_delimiter = ',')]
    report: Vec<ReportName>,
}

/// An output that has a schema of ours.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SchemaName {
    /// report.json.
    Report,
    /// certificate.json.
    Certificate,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ReportName {
    /// junit.xml, for build servers.
    Junit,
    /// report.sarif, for code scanning.
    Sarif,
    /// report.html: the whole run on one page.
    Html,
    /// traffic.har: what went over the wire.
    Har,
    /// events.ndjson: every fact as it happens.
    Ndjson,
    /// annotations.txt and summary.md; within GitHub Actions they annotate and sum up the step.
    Github,
    /// badge.json, for shields.io.
    Badge,
    /// All of them.
    All,
}

impl ReportName {
    fn formats(self) -> Vec<Format> {
        match self {
            Self::Junit => vec![Format::Junit],
            Self::Sarif => vec![Format::Sarif],
            Self::Html => vec![Format::Html],
            Self::Har => vec![Format::Har],
            Self::Ndjson => vec![Format::Ndjson],
            Self::Github => vec![Format::Github],
            Self::Badge => vec![Format::Badge],
            Self::All => Format::ALL.to_vec(),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProfileName {
    /// Documented parts must hold, inferred ones should, proposed ones may.
    Documented,
    /// Everything must hold.
    Complete,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Documented => Self::Documented,
            ProfileName::Complete => Self::Complete,
        }
    }
}

impl RunArguments {
    /// The outputs that are asked for, each once.
    pub(crate) fn formats(&self) -> BTreeSet<Format> {
        self.report.iter().flat_map(|name| name.formats()).collect()
    }

    /// The options of the run: the command line before the configuration file.
    pub(crate) fn options(&self, random_seed: u64) -> anyhow::Result<Options> {
        let config = match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::default(),
        };
        let (headers, secrets) = self.headers(&config)?;
        let name = self
            .name
            .clone()
            .or(config.name.clone())
            .unwrap_or_else(|| "server".to_owned());
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let fits = (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with('.');
        if !fits || !name.chars().all(plain) {
            bail!(
                "`{name}` is no usable name: up to {LONGEST_NAME} letters, digits, `-`, `_` and `.`"
            );
        }
        Ok(Options {
            spec: self.spec.clone(),
            url: self.url.clone(),
            scenarios: self.scenarios.clone(),
            behaviour: self.behaviour.clone(),
            deviations: self.deviations(&config),
            laws: !self.without_laws,
            selection: Selection {
                areas: scope(&self.area, &config.areas),
                operations: scope(&self.operation, &config.operations),
                cases: scope(&self.case, &[]),
                inputs: config.inputs(),
                scenario_inputs: config.scenario_inputs(),
                ..Selection::default()
            },
            profile: self.profile(&config)?,
            headers,
            seed: self.seed.unwrap_or(random_seed),
            timeout: self.timeout(&config)?,
            name,
            allow_writes: self.allow_writes,
            secrets,
        })
    }

    /// The file of known deviations. Where they are accepted it need not be there yet.
    fn deviations(&self, config: &Config) -> Option<PathBuf> {
        let file = self
            .deviations
            .clone()
            .or_else(|| config.deviations.clone())?;
        (!self.accept || file.exists()).then_some(file)
    }

    /// Where accepted deviations are added.
    ///
    /// # Errors
    /// No file is named.
    pub(crate) fn accepted(&self) -> anyhow::Result<PathBuf> {
        let config = match &self.config {
            Some(path) => Config::read(path)?,
            None => Config::default(),
        };
        let file = self.deviations.clone().or(config.deviations);
        file.context("--accept needs --deviations FILE to write to")
    }

    fn profile(&self, config: &Config) -> anyhow::Result<Profile> {
        let configured = match &config.profile {
            Some(name) => Some(
                ProfileName::from_str(name, false)
                    .map_err(|_| anyhow!("`{name}` is no profile: `documented` or `complete`"))?,
            ),
            None => None,
        };
        Ok(self
            .profile
            .or(configured)
            .map(Profile::from)
            .unwrap_or_default())
    }

    fn timeout(&self, config: &Config) -> anyhow::Result<Duration> {
        let configured = match &config.timeout {
            Some(text) => Some(
                duration::parse(text)
                    .map_err(|error| anyhow!("the timeout `{text}` is {error}"))?,
            ),
            None => None,
        };
        Ok(self.timeout.or(configured).unwrap_or(DEFAULT_TIMEOUT))
    }

    /// The headers of every request, and the parts of them that are secret on their own.
    fn headers(&self, config: &Config) -> anyhow::Result<(Headers, Vec<String>)> {
        let mut headers = Headers::new();
        let mut secrets = Vec::new();
        for (name, value) in &config.headers {
            headers.push((name.to_ascii_lowercase(), value.clone()));
        }
        for header in &self.header {
            let (name, value) = header.split_once(':').with_context(|| {
                let name: String = header
                    .chars()
                    .take_while(char::is_ascii_alphanumeric)
                    .collect();
                format!("the header `{name}…` has no colon: write 'Name: value'")
            })?;
            let name = name.trim().to_ascii_lowercase();
            headers.retain(|(own, _)| *own != name);
            headers.push((name, value.trim().to_owned()));
        }
        if let Some(basic) = &self.basic {
            let (_, password) = basic
                .split_once(':')
                .context("--basic has no colon: write USER:PASSWORD")?;
            secrets.push(basic.clone());
            secrets.push(password.to_owned());
            headers.retain(|(own, _)| own != "authorization");
            headers.push((
                "authorization".to_owned(),
                format!("Basic {}", STANDARD.encode(basic)),
            ));
        }
        for (name, value) in &headers {
            let token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?={}".contains(c);
            if name.is_empty() || !name.chars().all(token) {
                bail!("`{name}` is no usable header");
            }
            if value.chars().any(char::is_control) {
                bail!("the value of the header `{name}` has a control character");
            }
            if OF_THE_TRANSPORT.contains(&name.as_str()) {
                bail!("the header `{name}` is for the runner itself to send");
            }
        }
        Ok((headers, secrets))
    }
}

fn scope(given: &[String], configured: &[String]) -> BTreeSet<String> {
    let chosen = if given.is_empty() { configured } else { given };
    chosen
        .iter()
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}
