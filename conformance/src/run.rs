//! One run from its options to its record: the phases in order.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use spec::Behaviour;
use spec::document::Document;

use crate::client::{self, Client, TargetError};
use crate::collect::{self, Selection};
use crate::compose::Target;
use crate::contract::Contract;
use crate::contract::identity::Identity;
use crate::deviations::Known;
use crate::event::{Configuration, Consumer, Event, Start, Wants};
use crate::execute::{Wire, execute};
use crate::judge::Judge;
use crate::laws::Laws;
use crate::level::Profile;
use crate::model::Model;
use crate::plan::{self, Policy};
use crate::recipe::Recipes;
use crate::scenario::{Scenario, reader};
use crate::secrets::Secrets;

/// How long to wait for a first connection, at most.
const REACH: Duration = Duration::from_secs(5);

/// What is to be run, and how.
#[derive(Debug, Clone)]
pub struct Options {
    /// The document.
    pub spec: PathBuf,
    /// The server's base address.
    pub url: String,
    /// The folder of scenarios; where absent, `scenarios` beside the document, if it is there.
    pub scenarios: Option<PathBuf>,
    /// The behaviour file; where absent, `behaviour.yaml` beside the document, if it is there.
    pub behaviour: Option<PathBuf>,
    /// The file of known deviations.
    pub deviations: Option<PathBuf>,
    /// Whether the laws are tried.
    pub laws: bool,
    /// What is in scope.
    pub selection: Selection,
    /// Which parts of the contract bind.
    pub profile: Profile,
    /// Headers of every request.
    pub headers: Vec<(String, String)>,
    /// Seed of fresh values.
    pub seed: u64,
    /// The time limit of one request.
    pub timeout: Duration,
    /// The server's name.
    pub name: String,
    /// Whether to send what changes something to servers elsewhere.
    pub allow_writes: bool,
    /// Further texts that must not be shown.
    pub secrets: Vec<String>,
}

/// Why there is no verdict on the server.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// What was asked for cannot be done.
    #[error("{0}")]
    Usage(String),
    /// The target cannot be reached.
    #[error(transparent)]
    Target(TargetError),
    /// An output could not be written.
    #[error("failed to write the account of the run: {0}")]
    Output(#[from] io::Error),
}

impl From<TargetError> for RunError {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Address { .. } | TargetError::Part { .. } => {
                Self::Usage(error.to_string())
            }
            other => Self::Target(other),
        }
    }
}

/// The ids of the cases that a run would decide before its laws, in the order of the document.
///
/// # Errors
/// The document, a scenario or the scope cannot be used.
pub fn list(options: &Options) -> Result<Vec<String>, RunError> {
    let document = spec::loader::load(&options.spec)
        .map_err(|error| RunError::Usage(error.render(false).trim_end().to_owned()))?;
    let contract = Contract::new(&document);
    check_selection(&document, &options.selection)?;
    let collection = collect::collect(&contract, scenarios(options)?, &options.selection);
    let policy = Policy::new(true, true);
    let mut plan = plan::plan(&document, collection, policy);
    plan.keep(&options.selection);
    Ok(plan.cases())
}

/// Runs everything; each event goes to all consumers.
pub async fn run(options: &Options, consumers: &mut [&mut dyn Consumer]) -> Result<(), RunError> {
    let document = spec::loader::load(&options.spec)
        .map_err(|error| RunError::Usage(error.render(false).trim_end().to_owned()))?;
    let broken = spec::lint::references(&document);
    if broken.has_errors() {
        let text = broken.render(&document.sources, false);
        return Err(RunError::Usage(text.trim_end().to_owned()));
    }
    let url = client::address(&options.url)?;
    let contract = Contract::new(&document);
    let target = target(options, &url, &document);
    check_selection(&document, &options.selection)?;
    let selection = Selection {
        headers: target
            .headers
            .iter()
            .map(|(name, _)| name.to_ascii_lowercase())
            .collect(),
        has_credentials: has_credentials(&target),
        ..options.selection.clone()
    };
    let scenarios = scenarios(options)?;
    let behaviour = behaviour(options)?;
    check_inputs(&scenarios, &selection)?;
    let collection = collect::collect(&contract, scenarios, &selection);
    let laws = options.laws.then(|| {
        let model = Model::new(&document, behaviour);
        let recipes = Recipes::new(&contract, &selection, &model, &collection.scripts);
        Laws {
            model,
            recipes,
            selection: &selection,
        }
    });
    let policy = Policy::new(client::is_loopback(&url), options.allow_writes);
    let mut plan = plan::plan(&document, collection, policy);
    plan.keep(&selection);
    client::reach(&url, options.timeout.min(REACH)).await?;
    let client = Client::new(&url, options.timeout)?;
    client.greet(&url).await?;
    let mut secrets = Secrets::new(&target.headers, &target.credentials);
    for secret in &options.secrets {
        secrets.add(secret, "$CONFORMANCE_AUTH");
    }
    let consumed = consumers.iter().map(|consumer| consumer.wants());
    let wants = consumed.fold(Wants::default(), Wants::or);
    let mut failed = None;
    let mut known = known(options, &document)?;
    let mut ran = BTreeSet::new();
    let mut tell = |event: &Event| {
        for consumer in consumers.iter_mut() {
            match consumer.event(event) {
                // Nobody is left to read the account; the report is still wanted.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
                Err(error) => {
                    failed.get_or_insert(error);
                }
                Ok(()) => {}
            }
        }
    };
    let mut emit = |mut event: Event| {
        match &mut event {
            Event::Case(case) if !options.selection.wants(&case.id) => return,
            Event::Case(case) => {
                known.mark(case);
                if case.requests > 0 {
                    ran.insert(case.operation_id.clone());
                }
            }
            Event::Finished(_) if options.selection.cases.is_empty() => {
                let wrong = known.settle(&ran).into_iter().map(Event::Case);
                wrong.for_each(|case| tell(&case));
            }
            _ => {}
        }
        tell(&event);
    };
    emit(Event::Started(start(options, &document, &secrets)));
    let judge = Judge {
        contract: &contract,
        profile: options.profile,
    };
    let wire = Wire {
        client: &client,
        target: &target,
        secrets: &secrets,
        seed: options.seed,
        selection: &options.selection,
        wants,
    };
    execute(plan, &judge, &wire, laws.as_ref(), &mut emit).await;
    failed.map_or(Ok(()), |error| Err(error.into()))
}

fn scenarios(options: &Options) -> Result<Vec<Scenario>, RunError> {
    let beside = || options.spec.parent().map(|folder| folder.join("scenarios"));
    let folder = match &options.scenarios {
        Some(folder) => Some(folder.clone()),
        None => beside().filter(|folder| folder.is_dir()),
    };
    let Some(folder) = folder else {
        return Ok(Vec::new());
    };
    reader::read_folder(&folder).map_err(|errors| {
        let text = errors.diagnostics.render(&errors.sources, false);
        RunError::Usage(text.trim_end().to_owned())
    })
}

/// The known deviations of the server.
fn known(options: &Options, document: &Document) -> Result<Known, RunError> {
    let Some(file) = &options.deviations else {
        return Ok(Known::default());
    };
    let operations = document.operations();
    let operations: Vec<String> = operations
        .iter()
        .map(spec::document::Operation::label)
        .collect();
    let today = jiff::Timestamp::now().to_string();
    Known::read(file, &operations, today.get(..10).unwrap_or_default())
        .map_err(|error| RunError::Usage(error.to_string()))
}

fn behaviour(options: &Options) -> Result<Behaviour, RunError> {
    let beside = || {
        let folder = options.spec.parent()?;
        Some(folder.join("behaviour.yaml")).filter(|file| file.is_file())
    };
    let Some(file) = options.behaviour.clone().or_else(beside) else {
        return Ok(Behaviour::default());
    };
    spec::behaviour::load(&file)
        .map_err(|error| RunError::Usage(error.render(false).trim_end().to_owned()))
}

/// A scope that names nothing of the document is a typing error, not an empty run.
fn check_selection(document: &Document, selection: &Selection) -> Result<(), RunError> {
    let operations = document.operations();
    if operations.is_empty() {
        let mistake = "the document has no operations".to_owned();
        return Err(RunError::Usage(mistake));
    }
    let areas: BTreeSet<String> = operations.iter().map(collect::area).collect();
    let ids: BTreeSet<String> = operations
        .iter()
        .map(spec::document::Operation::label)
        .collect();
    let unknown = |what: &str, asked: &BTreeSet<String>, known: &BTreeSet<String>| {
        let strange = asked.iter().find(|name| !known.contains(*name))?;
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        Some(format!(
            "there is no {what} `{strange}`; there are {}",
            known.join(", ")
        ))
    };
    let mistake = unknown("area", &selection.areas, &areas)
        .or_else(|| unknown("operation", &selection.operations, &ids));
    mistake.map_or(Ok(()), |mistake| Err(RunError::Usage(mistake)))
}

/// A value for what no scenario asks for is a typing error, too.
fn check_inputs(scenarios: &[Scenario], selection: &Selection) -> Result<(), RunError> {
    let asks = |scenario: &Scenario, name: &str| scenario.inputs.iter().any(|(own, _)| own == name);
    for name in selection.inputs.keys() {
        if !scenarios.iter().any(|scenario| asks(scenario, name)) {
            let mistake = format!("no scenario has the input `{name}` of the configuration");
            return Err(RunError::Usage(mistake));
        }
    }
    for (id, inputs) in &selection.scenario_inputs {
        let Some(scenario) = scenarios.iter().find(|scenario| scenario.id == *id) else {
            let mistake = format!("there is no scenario `{id}`, which the configuration names");
            return Err(RunError::Usage(mistake));
        };
        if let Some(name) = inputs.keys().find(|name| !asks(scenario, name)) {
            let mistake = format!("the scenario `{id}` has no input `{name}`");
            return Err(RunError::Usage(mistake));
        }
    }
    Ok(())
}

fn target(options: &Options, url: &Url, document: &Document) -> Target {
    let mut credentials = vec!["authorization".to_owned()];
    for (_, scheme) in document.components("securitySchemes") {
        let is_header = scheme.node.get("in").and_then(spec::Node::as_str) == Some("header");
        let name = scheme.node.get("name").and_then(spec::Node::as_str);
        if let (true, Some(name)) = (is_header, name) {
            credentials.push(name.to_ascii_lowercase());
        }
    }
    Target {
        base: url.as_str().trim_end_matches('/').to_owned(),
        headers: options.headers.clone(),
        credentials,
    }
}

fn has_credentials(target: &Target) -> bool {
    let mut names = target
        .headers
        .iter()
        .map(|(name, _)| name.to_ascii_lowercase());
    names.any(|name| target.credentials.contains(&name))
}

fn start(options: &Options, document: &Document, secrets: &Secrets) -> Start {
    let title = document.root.get("info").and_then(|info| info.get("title"));
    Start {
        name: options.name.clone(),
        url: secrets.redact(&options.url),
        spec: options.spec.display().to_string(),
        title: title
            .and_then(spec::Node::as_str)
            .unwrap_or("untitled")
            .to_owned(),
        profile: match options.profile {
            Profile::Documented => "documented".to_owned(),
            Profile::Complete => "complete".to_owned(),
        },
        seed: options.seed,
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        contract: Identity::of(document),
        configuration: configuration(options, secrets),
    }
}

fn configuration(options: &Options, secrets: &Secrets) -> Configuration {
    let selection = &options.selection;
    let header = |(name, _): &(String, String)| {
        let shown = secrets.header(name).unwrap_or_default();
        (name.clone(), shown.to_owned())
    };
    let inputs = selection.inputs.keys().cloned();
    let own = selection.scenario_inputs.iter();
    let own = own.flat_map(|(name, all)| all.keys().map(move |key| format!("{name}/{key}")));
    Configuration {
        areas: selection.areas.iter().cloned().collect(),
        operations: selection.operations.iter().cloned().collect(),
        headers: options.headers.iter().map(header).collect(),
        inputs: inputs.chain(own).collect(),
        timeout_ms: u64::try_from(options.timeout.as_millis()).unwrap_or(u64::MAX),
        allow_writes: options.allow_writes,
    }
}
