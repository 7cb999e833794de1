//! The options of a run.

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
use conformance::source::Spec;
use conformance::values::Given;
use conformance::withheld::Exclusions;

use super::hooks::HookArguments;
use super::notified::NotificationArguments;
use super::report_name::ReportName;
use super::transport::TransportArguments;
use crate::built_in::CONTRACT;

/// Names in lower case and values.
type Headers = Vec<(String, String)>;

/// They say how a request travels, which the runner decides.
const OF_THE_TRANSPORT: [&str; 3] = ["content-length", "transfer-encoding", "connection"];

/// File systems allow no more than 255 bytes.
const LONGEST_NAME: usize = 100;

/// The options of a run.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct RunArguments {
    /// The OpenAPI document: the main file of a multi-file source, or a bundle. [default: the
    /// contract within this program]
    #[arg(long, value_name = "FILE")]
    spec: Option<PathBuf>,
    /// An overlay to change the document by before it is used. May be given more than once: they are applied in their
    /// order.
    #[arg(long, value_name = "FILE")]
    overlay: Vec<PathBuf>,
    /// A file with values for parameters, properties and bodies, as `[values]` of the configuration has them. May be given more than
    /// once.
    #[arg(long, value_name = "FILE")]
    fixtures: Vec<PathBuf>,
    /// The server's base address, `http://…` or `https://…`, which paths are appended to.
    #[arg(long, visible_alias = "server")]
    url: Option<String>,
    /// The folder of Arazzo scenarios; default: `scenarios` beside the document.
    #[arg(long, value_name = "DIR")]
    scenarios: Option<PathBuf>,
    /// What is known of the records' behaviour; default: `behaviour.yaml` beside the document.
    #[arg(long, value_name = "FILE")]
    behaviour: Option<PathBuf>,
    /// Known deviations, which do not count; see docs/runner.md.
    #[arg(long, value_name = "FILE")]
    deviations: Option<PathBuf>,
    /// The frozen list of requirements that a certificate is about, by its name or its file. [default: the
    /// newest one of the contract's version in `requirements` beside the document]
    #[arg(long, value_name = "LIST")]
    requirements: Option<PathBuf>,
    /// Say what would be sent, and send nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run again whenever a file of the contract or the configuration changes.
    #[arg(long, conflicts_with = "accept")]
    pub(crate) watch: bool,
    /// One of N parts of the cases, such as 1/3: together they are the whole, and `merge` makes one
    /// report of theirs. Give all of them one --seed.
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
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
    /// Operations in scope; default: all. Each is an operationId or `METHOD /path`; `*` stands for any text.
    #[arg(
        long,
        visible_alias = "only",
        value_name = "PATTERN,…",
        value_delimiter = ','
    )]
    operation: Vec<String>,
    /// Operations that are never called. Each is an operationId or `METHOD /path`; `*` stands for any text.
    #[arg(long, value_name = "PATTERN,…", value_delimiter = ',')]
    skip_operation: Vec<String>,
    /// Paths whose operations are never called, such as `/admin/*`.
    #[arg(long, value_name = "PATTERN,…", value_delimiter = ',')]
    skip_path: Vec<String>,
    /// Call the operations that harm the server, after all others: those that stop or reset it, log out, replace
    /// credentials, delete whole collections or change settings.
    #[arg(long)]
    allow_destructive: bool,
    /// How many requests are under way at once; fewer where the server fails so and not otherwise
    /// [default: 8 on this machine, else 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    parallel: Option<u32>,
    /// Leave the records that the run created on the server; else it deletes them at its end where it can.
    #[arg(long)]
    keep_records: bool,
    /// Which parts of the contract bind: `documented`, `complete`, or an area, of which all binds and which
    /// alone is in scope.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    /// Whether what only an example shows binds; default: as `x-conformance: {examples: …}` in the document's `info`
    /// says, else `illustrative`.
    #[arg(long, value_name = "HOW", value_parser = examples)]
    examples: Option<Examples>,
    /// The least verdict of a case with which the run ends with exit code 1.
    #[arg(long, value_enum, value_name = "VERDICT", default_value = "fail")]
    pub(crate) fail_on: FailOn,
    /// A header of every request, such as 'Authorization: KEY'; secret in all outputs. May be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// Credentials for HTTP Basic; secret in all outputs.
    #[arg(long, value_name = "USER:PASSWORD")]
    basic: Option<String>,
    /// A header of somebody else, such as another tenant's 'Authorization: KEY', who must find nothing of what the
    /// run makes; secret in all outputs. May be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    neighbour: Vec<String>,
    /// A header of somebody who may only read, such as the 'Authorization: KEY' of a read-only key: what changes
    /// something must be refused wherever a 403 is documented; secret in all outputs. May be repeated.
    #[arg(long, value_name = "NAME: VALUE")]
    reader: Vec<String>,
    /// A configuration file, see docs/runner.md.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Seed of what is chosen; the same seed sends the same requests, but for keys, which are new in each run.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The time limit of one request with its answer, such as 10s, 500ms or PT10S. [default: 10s]
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    timeout: Option<Duration>,
    /// How long to wait for a server that does not answer yet, such as 30s. [default: not at all]
    #[arg(long, value_name = "T", value_parser = duration::parse)]
    wait: Option<Duration>,
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
    /// Print what does not pass only.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Further outputs.
    #[arg(long, value_enum, value_name = "FORMAT,…", value_delimiter = ',')]
    report: Vec<ReportName>,
    #[command(flatten)]
    transport: TransportArguments,
    #[command(flatten)]
    notifications: NotificationArguments,
    #[command(flatten)]
    hooks: HookArguments,
}

impl RunArguments {
    /// The outputs that are asked for, each once.
    pub(crate) fn formats(&self) -> BTreeSet<Format> {
        self.report.iter().flat_map(|name| name.formats()).collect()
    }

    fn configuration(&self) -> anyhow::Result<Config> {
        match &self.config {
            Some(path) => Ok(Config::read(path)?),
            None => Ok(Config::default()),
        }
    }

    /// The files that only the command line names, for whoever watches them.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.config.iter().chain(&self.fixtures).cloned().collect()
    }

    /// The same arguments, where no server need be named.
    pub(crate) fn without_server(mut self) -> Self {
        self.url
            .get_or_insert_with(|| "http://127.0.0.1".to_owned());
        self
    }

    /// The options of the run: the command line before the configuration file.
    pub(crate) fn options(&self, random_seed: u64) -> anyhow::Result<Options> {
        let config = self.configuration()?;
        let (headers, secrets) = self.headers(&config)?;
        let (profile, area) = self.profile(&config);
        let areas = match area {
            Some(area) => BTreeSet::from([area]),
            None => scope(&self.area, &config.areas),
        };
        Ok(Options {
            spec: self.spec(&config),
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

    /// The operations that the command line and the configuration exclude, together.
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
                "`{name}` is no usable name: up to {LONGEST_NAME} letters, digits, `-`, `_` and `.`"
            );
        }
        Ok(name)
    }

    /// The document that is named, else the one that the program has with it.
    fn spec(&self, config: &Config) -> Spec {
        let named = self.spec.clone().or_else(|| config.spec.clone());
        named.map_or(Spec::Texts(CONTRACT), Spec::File)
    }

    fn url(&self, config: &Config) -> anyhow::Result<String> {
        let url = self.url.clone().or_else(|| config.url.clone());
        url.context(
            "no server is named: add --server http://127.0.0.1:8080 with the address of yours, \
             or `url` to the configuration",
        )
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
        let config = self.configuration()?;
        let file = self.deviations.clone().or(config.deviations);
        file.context("--accept needs --deviations FILE to write to")
    }

    /// The profile, and the area that is it, where it is one.
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

    /// The headers of every request, and the parts of them that are secret on their own.
    fn headers(&self, config: &Config) -> anyhow::Result<(Headers, Vec<String>)> {
        let mut headers = Headers::new();
        let mut secrets = Vec::new();
        secrets.extend(config.login.iter().flat_map(LoginPart::secrets));
        secrets.extend(config.oauth2.iter().map(|own| own.client_secret.clone()));
        for (name, value) in &config.headers {
            headers.push((name.to_ascii_lowercase(), value.clone()));
        }
        for header in &self.header {
            let (name, value) = read_header(header)?;
            headers.retain(|(own, _)| *own != name);
            headers.push((name, value));
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
        headers.iter().try_for_each(check_header)?;
        Ok((headers, secrets))
    }
}

/// The least verdict of a case with which a run ends with exit code 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A case that differs where it should not.
    Warn,
    /// A case that differs where it must not.
    Fail,
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

/// The name of a header in lower case, and its value.
/// The headers of somebody else: those of the command line, else those of the configuration.
fn of_another(own: &[String], configured: &BTreeMap<String, String>) -> anyhow::Result<Headers> {
    let named = |(name, value): (&String, &String)| (name.to_ascii_lowercase(), value.clone());
    let all = match own {
        [] => configured.iter().map(named).collect(),
        all => all
            .iter()
            .map(|own| read_header(own))
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
    ensure!(is_name, "`{name}` is no usable header");
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
