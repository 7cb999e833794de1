//! Options of the command `run`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::{Args, ValueEnum};
use conformance::collect::Selection;
use conformance::config::{Config, LoginPart};
use conformance::duration;
use conformance::level::{Examples, Profile};
use conformance::options::{DEFAULT_NAME, DEFAULT_TIMEOUT, Options};
use conformance::report::Format;
use conformance::shard::Shard;
use conformance::values::Given;
use conformance::withheld::Exclusions;

use super::heading;
use super::hooks::HookArguments;
use super::notified::NotificationArguments;
use super::report_name::ReportName;
use super::transport::TransportArguments;
use crate::built_in;

/// Pairs of a lower-case name and a value.
type Headers = Vec<(String, String)>;

/// Headers that the runner sets itself.
const OF_THE_TRANSPORT: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

/// The longest name of a server, in bytes. File systems allow at most 255.
const LONGEST_NAME: usize = 100;

/// Options of the command `run`.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct RunArguments {
    /// Read settings from this file; options of the command line come first. See docs/runner.md.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the requests that a run would send, and send none.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run again when a file of the contract or the configuration changes.
    #[arg(long, conflicts_with = "accept")]
    pub(crate) watch: bool,

    /// The OpenAPI document: the main file of several, or a bundle. [default: the contract within
    /// this program]
    #[arg(long, value_name = "FILE", help_heading = heading::CONTRACT)]
    spec: Option<PathBuf>,
    /// Change the document by this overlay before it is used. May be repeated; overlays apply in order.
    #[arg(long, value_name = "FILE", help_heading = heading::CONTRACT)]
    overlay: Vec<PathBuf>,
    /// Send the values of this file for parameters, properties and bodies, like `[values]` of the
    /// configuration. May be repeated.
    #[arg(long, value_name = "FILE", help_heading = heading::CONTRACT)]
    fixtures: Vec<PathBuf>,
    /// The folder of Arazzo scenarios. [default: `scenarios` beside the document]
    #[arg(long, value_name = "DIR", help_heading = heading::CONTRACT)]
    scenarios: Option<PathBuf>,
    /// The behaviour file: states, transitions, keys and facts of the records. [default:
    /// `behaviour.yaml` beside the document]
    #[arg(long, value_name = "FILE", help_heading = heading::CONTRACT)]
    behaviour: Option<PathBuf>,
    /// The frozen list of requirements that the certificate is about, by its name or its file.
    /// [default: the newest one of the contract's version in `requirements` beside the document]
    #[arg(long, value_name = "LIST", help_heading = heading::CONTRACT)]
    requirements: Option<PathBuf>,
    /// Which parts of the contract bind: `documented`, `complete`, or the name of an area, which is
    /// then tested alone and binds as a whole. [default: documented]
    #[arg(long, value_name = "NAME", help_heading = heading::CONTRACT)]
    profile: Option<String>,
    /// Whether what only an example shows binds: `normative` or `illustrative`. [default: as
    /// `x-conformance: {examples: …}` in the document's `info` says, else `illustrative`]
    #[arg(long, value_name = "HOW", value_parser = examples, help_heading = heading::CONTRACT)]
    examples: Option<Examples>,

    /// The server's base address, `http://…` or `https://…`. Paths are appended to it.
    #[arg(long, visible_alias = "server", help_heading = heading::SERVER)]
    url: Option<String>,
    /// Wait this long for a server that does not answer yet, such as 30s. [default: not at all]
    #[arg(long, value_name = "T", value_parser = duration::parse, help_heading = heading::SERVER)]
    wait: Option<Duration>,
    /// Send requests that change something, although the server is not on this machine.
    #[arg(long, help_heading = heading::SERVER)]
    allow_writes: bool,
    /// Call the operations that harm the server, after all others: those that stop or reset it, log
    /// out, replace credentials, delete whole collections or change settings.
    #[arg(long, help_heading = heading::SERVER)]
    allow_destructive: bool,
    /// Leave the records of the run on the server. Without it the run deletes them where it can.
    #[arg(long, help_heading = heading::SERVER)]
    keep_records: bool,

    /// Send this header with each request, such as 'Authorization: KEY'. May be repeated. Its value
    /// appears in no output.
    #[arg(long, value_name = "NAME: VALUE", help_heading = heading::CREDENTIALS)]
    header: Vec<String>,
    /// Credentials for HTTP Basic. They appear in no output.
    #[arg(long, value_name = "USER:PASSWORD", help_heading = heading::CREDENTIALS)]
    basic: Option<String>,
    /// A header of another tenant, such as its 'Authorization: KEY', who must not find the records
    /// of the run. May be repeated. Its value appears in no output.
    #[arg(long, value_name = "NAME: VALUE", help_heading = heading::CREDENTIALS)]
    neighbour: Vec<String>,
    /// A header of a caller who may only read, such as the 'Authorization: KEY' of a read-only key.
    /// The server must refuse its changes where a 403 is documented. May be repeated. Its value
    /// appears in no output.
    #[arg(long, value_name = "NAME: VALUE", help_heading = heading::CREDENTIALS)]
    reader: Vec<String>,

    /// Test these areas only (the first tag of an operation). [default: all]
    #[arg(long, value_name = "A,…", value_delimiter = ',', help_heading = heading::SCOPE)]
    area: Vec<String>,
    /// Test these operations only. Each is an operationId or `METHOD /path`; `*` stands for any text.
    /// [default: all]
    #[arg(
        long,
        visible_alias = "only",
        value_name = "PATTERN,…",
        value_delimiter = ',',
        help_heading = heading::SCOPE
    )]
    operation: Vec<String>,
    /// Never call these operations. Each is an operationId or `METHOD /path`; `*` stands for any text.
    #[arg(long, value_name = "PATTERN,…", value_delimiter = ',', help_heading = heading::SCOPE)]
    skip_operation: Vec<String>,
    /// Never call the operations of these paths, such as `/admin/*`.
    #[arg(long, value_name = "PATTERN,…", value_delimiter = ',', help_heading = heading::SCOPE)]
    skip_path: Vec<String>,
    /// Report these cases only, by their ids. Other cases run when these need them.
    #[arg(long, value_name = "ID,…", value_delimiter = ',', help_heading = heading::SCOPE)]
    case: Vec<String>,
    /// Run one of N parts of the cases, such as 1/3, and join the reports with `merge`. Give all parts
    /// one --seed.
    #[arg(long, value_name = "K/N", value_parser = Shard::parse, help_heading = heading::SCOPE)]
    shard: Option<Shard>,
    /// Replay examples and scenarios only, and test no laws.
    #[arg(long, help_heading = heading::SCOPE)]
    without_laws: bool,
    /// Choose as the run with this seed did. The same seed sends the same requests, except for keys,
    /// which are new in each run.
    #[arg(long, value_name = "N", help_heading = heading::SCOPE)]
    seed: Option<u64>,

    /// How many requests are under way at once; fewer when the server fails under them. [default: 8
    /// on this machine, else 1]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=64),
        help_heading = heading::REQUESTS
    )]
    parallel: Option<u32>,
    /// The time limit of a request with its answer, such as 10s, 500ms or PT10S. [default: 10s]
    #[arg(
        long,
        value_name = "T",
        value_parser = duration::parse,
        help_heading = heading::REQUESTS
    )]
    timeout: Option<Duration>,

    /// Do not count the known deviations of this file, see docs/runner.md.
    #[arg(long, value_name = "FILE", help_heading = heading::VERDICT)]
    deviations: Option<PathBuf>,
    /// Add each new difference to the file of --deviations.
    #[arg(long, help_heading = heading::VERDICT)]
    pub(crate) accept: bool,
    /// What ends with exit code 1; several are joined by commas.
    #[arg(
        long,
        value_enum,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "fail",
        help_heading = heading::VERDICT
    )]
    pub(crate) fail_on: Vec<FailOn>,

    /// Print only what does not pass.
    #[arg(long, short, help_heading = heading::OUTPUT)]
    pub(crate) quiet: bool,
    /// The folder for report.json, certificate.json and the files of --report.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "target/certify",
        help_heading = heading::OUTPUT
    )]
    pub(crate) out: PathBuf,
    /// Write these reports as well.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT,…",
        value_delimiter = ',',
        help_heading = heading::OUTPUT
    )]
    report: Vec<ReportName>,
    /// The name of the server in reports, and of its folder of snapshots. [default: server]
    #[arg(long, help_heading = heading::OUTPUT)]
    name: Option<String>,
    /// The folder of snapshots, with a folder for each server.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "conformance/snapshots",
        help_heading = heading::OUTPUT
    )]
    pub(crate) snapshots: PathBuf,

    #[command(flatten)]
    transport: TransportArguments,
    #[command(flatten)]
    notifications: NotificationArguments,
    #[command(flatten)]
    hooks: HookArguments,
}

impl RunArguments {
    /// The requested outputs, each once.
    pub(crate) fn formats(&self) -> BTreeSet<Format> {
        self.report.iter().flat_map(|name| name.formats()).collect()
    }

    fn configuration(&self) -> anyhow::Result<Config> {
        match &self.config {
            Some(path) => Ok(Config::read(path)?),
            None => Ok(Config::default()),
        }
    }

    /// The files that only the command line names, for `--watch`.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.config.iter().chain(&self.fixtures).cloned().collect()
    }

    /// The arguments with a placeholder for the address, for commands that call no server.
    pub(crate) fn without_server(mut self) -> Self {
        self.url
            .get_or_insert_with(|| "http://127.0.0.1".to_owned());
        self
    }

    /// The options of the run. The command line overrides the configuration file.
    pub(crate) fn options(&self, random_seed: u64) -> anyhow::Result<Options> {
        let config = self.configuration()?;
        let (headers, secrets) = self.headers(&config)?;
        let (profile, area) = self.profile(&config);
        let areas = match area {
            Some(area) => BTreeSet::from([area]),
            None => scope(&self.area, &config.areas),
        };
        Ok(Options {
            spec: built_in::spec(self.spec.clone().or_else(|| config.spec.clone()))?,
            overlays: self.overlay.clone(),
            values: self.values(&config)?,
            url: self.url(&config)?,
            scenarios: self.scenarios.clone(),
            behaviour: self.behaviour.clone(),
            deviations: self.deviations(&config),
            requirements: self
                .requirements
                .clone()
                .or_else(|| config.requirements.clone()),
            laws: !self.without_laws,
            selection: Selection {
                areas,
                operations: scope(&self.operation, &config.operations),
                exclusions: self.exclusions(&config),
                cases: scope(&self.case, &[]),
                shard: self.shard.clone(),
                inputs: config.inputs(),
                scenario_inputs: config.scenario_inputs(),
                ..Selection::default()
            },
            profile,
            examples: self.examples(&config)?,
            headers,
            neighbour: of_another(&self.neighbour, &config.neighbour)?,
            reader: of_another(&self.reader, &config.reader)?,
            seed: self.seed.unwrap_or(random_seed),
            salt: random_seed,
            timeout: self.timeout(&config)?,
            wait: self.wait.unwrap_or_default(),
            name: self.name(&config)?,
            allow_writes: self.allow_writes,
            parallel: self.parallel.or(config.parallel),
            keep_records: self.keep_records || config.keep_records,
            secrets,
            transport: self.transport.transport(&config)?,
            notifications: self.notifications.settings(&config)?,
            hooks: self.hooks.hooks(&config, self.url(&config)?),
        })
    }

    /// The values of the configuration, then those of the command line's files.
    fn values(&self, config: &Config) -> anyhow::Result<Vec<Given>> {
        let mut values = config.given.clone();
        for file in &self.fixtures {
            values.extend(Config::fixtures(file)?);
        }
        Ok(values)
    }

    /// The operations that the command line or the configuration excludes.
    fn exclusions(&self, config: &Config) -> Exclusions {
        let both = |given: &[String], configured: &[String]| {
            let mut all = scope(given, &[]);
            all.extend(scope(configured, &[]));
            all
        };
        Exclusions {
            operations: both(&self.skip_operation, &config.skip_operations),
            paths: both(&self.skip_path, &config.skip_paths),
            destructive: scope(&[], &config.destructive),
            allow_destructive: self.allow_destructive || config.allow_destructive,
        }
    }

    fn name(&self, config: &Config) -> anyhow::Result<String> {
        let name = self
            .name
            .clone()
            .or(config.name.clone())
            .unwrap_or_else(|| DEFAULT_NAME.to_owned());
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let fits = (1..=LONGEST_NAME).contains(&name.len()) && !name.starts_with('.');
        if !fits || !name.chars().all(plain) {
            bail!(
                "`{name}` is not a usable name: up to {LONGEST_NAME} letters, digits, `-`, `_` and `.`"
            );
        }
        Ok(name)
    }

    fn url(&self, config: &Config) -> anyhow::Result<String> {
        let url = self.url.clone().or_else(|| config.url.clone());
        url.context(
            "no server is named: add --server http://127.0.0.1:8080 with the address of yours, \
             or `url` to the configuration",
        )
    }

    /// The file of known deviations. With `--accept` it need not exist.
    fn deviations(&self, config: &Config) -> Option<PathBuf> {
        let file = self
            .deviations
            .clone()
            .or_else(|| config.deviations.clone())?;
        (!self.accept || file.exists()).then_some(file)
    }

    /// The file to which accepted deviations are added.
    ///
    /// # Errors
    /// Neither the command line nor the configuration names a file.
    pub(crate) fn accepted(&self) -> anyhow::Result<PathBuf> {
        let config = self.configuration()?;
        let file = self.deviations.clone().or(config.deviations);
        file.context("--accept needs --deviations FILE to write to")
    }

    /// The profile, and its area when the profile is an area.
    fn profile(&self, config: &Config) -> (Profile, Option<String>) {
        let name = self.profile.as_ref().or(config.profile.as_ref());
        match name.map(String::as_str) {
            None | Some("documented") => (Profile::Documented, None),
            Some("complete") => (Profile::Complete, None),
            Some(area) => (Profile::Area, Some(area.to_owned())),
        }
    }

    fn examples(&self, config: &Config) -> anyhow::Result<Option<Examples>> {
        let configured = config.examples.as_deref().map(examples).transpose();
        let configured = configured.map_err(|error| anyhow!("`examples`: {error}"))?;
        Ok(self.examples.or(configured))
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

    /// The headers of every request, and the parts of their values that are secret by themselves.
    fn headers(&self, config: &Config) -> anyhow::Result<(Headers, Vec<String>)> {
        let mut headers = Headers::new();
        let mut secrets = Vec::new();
        secrets.extend(config.login.iter().flat_map(LoginPart::secrets));
        secrets.extend(config.oauth2.iter().map(|item| item.client_secret.clone()));
        for (name, value) in &config.headers {
            headers.push((name.to_ascii_lowercase(), value.clone()));
        }
        for header in &self.header {
            let (name, value) = read_header(header)?;
            headers.retain(|(header, _)| *header != name);
            headers.push((name, value));
        }
        if let Some(basic) = &self.basic {
            let (_, password) = basic
                .split_once(':')
                .context("--basic has no colon: write USER:PASSWORD")?;
            secrets.push(basic.clone());
            secrets.push(password.to_owned());
            headers.retain(|(header, _)| header != "authorization");
            headers.push((
                "authorization".to_owned(),
                format!("Basic {}", STANDARD.encode(basic)),
            ));
        }
        headers.iter().try_for_each(check_header)?;
        Ok((headers, secrets))
    }
}

/// What ends a run with exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A case that breaks a MUST; always included.
    Fail,
    /// A case that breaks a SHOULD.
    Warn,
    /// An operation that never succeeded.
    Unreached,
}

fn examples(word: &str) -> Result<Examples, String> {
    let found = Examples::parse(word);
    found.ok_or_else(|| format!("`{word}` is neither `normative` nor `illustrative`"))
}

fn scope(given: &[String], configured: &[String]) -> BTreeSet<String> {
    let chosen = if given.is_empty() { configured } else { given };
    chosen
        .iter()
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// The headers of another client: those of the command line, else those of the configuration.
fn of_another(given: &[String], configured: &BTreeMap<String, String>) -> anyhow::Result<Headers> {
    let named = |(name, value): (&String, &String)| (name.to_ascii_lowercase(), value.clone());
    let all = match given {
        [] => configured.iter().map(named).collect(),
        some => some
            .iter()
            .map(|header| read_header(header))
            .collect::<anyhow::Result<Headers>>()?,
    };
    all.iter().try_for_each(check_header)?;
    Ok(all)
}

fn read_header(header: &str) -> anyhow::Result<(String, String)> {
    let (name, value) = header.split_once(':').with_context(|| {
        let name: String = header
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        format!("the header `{name}…` has no colon: write 'Name: value'")
    })?;
    Ok((name.trim().to_ascii_lowercase(), value.trim().to_owned()))
}

fn check_header((name, value): &(String, String)) -> anyhow::Result<()> {
    let token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?={}".contains(c);
    let is_name = !name.is_empty() && name.chars().all(token);
    ensure!(is_name, "`{name}` is not a usable header");
    let has_control = value.chars().any(char::is_control);
    ensure!(
        !has_control,
        "the value of the header `{name}` has a control character"
    );
    let is_ours = OF_THE_TRANSPORT.contains(&name.as_str());
    ensure!(
        !is_ours,
        "the header `{name}` is for the runner itself to send"
    );
    Ok(())
}
