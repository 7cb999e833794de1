//! Runs all phases in order, from options to events.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use openapi_document::Behaviour;
use openapi_document::SourceMap;
use openapi_document::view::{Document, Operation};
use openapi_facts::Facts;
use reqwest::Url;
use wildmatch::WildMatch;

use crate::base_path;
use crate::client::{self, Client, TargetError, token};
use crate::collect::{self, Selection};
use crate::compose::Target;
use crate::contract::Contract;
use crate::contract::identity::{self, Identity};
use crate::deviations::Known;
use crate::event::{CaseReport, Configuration, Consumer, Event, Finish, Start, Wants};
use crate::execute::{RunLaws, Wire, execute};
use crate::hooks::{Hooks, Moment};
use crate::judge::Judge;
use crate::laws;
use crate::level::{Examples, Profile, Weights};
use crate::list_identity::ListIdentity;
use crate::load::{self, behaviour, document_with_scenarios, scenarios, sound_behaviour};
use crate::model::Model;
use crate::notifications::Notifications;
use crate::options::Options;
use crate::plan::{self, Policy};
use crate::promise;
use crate::recipe::Recipes;
use crate::requirements::{Frozen, Lists, Requirements};
use crate::scenario::Scenario;
use crate::secrets::{CREDENTIALS, NEIGHBOUR, READER, Secrets};
use crate::seed::Seed;
use crate::setting::Setting;
use crate::source::Spec;
use crate::spelling::suggestion;
use crate::trials;
use crate::withheld;

/// The longest wait for the first connection.
const REACH: Duration = Duration::from_secs(5);

/// The default number of parallel requests to a server on this machine; elsewhere it is one.
const AT_ONCE: u32 = 8;

/// The pause between two attempts to connect.
const INTERVAL: Duration = Duration::from_millis(250);

mod dispatcher;
mod dry;

pub use crate::run_error::RunError;
use dispatcher::Dispatcher;
pub use dry::dry;

/// The files that a run reads: the contract, its scenarios and behaviour file, and the known
/// deviations. Leaves out files that cannot be read.
pub fn files(options: &Options) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = options.deviations.iter().cloned().collect();
    if let Spec::File(file) = &options.spec {
        files.push(file.clone());
    }
    files.extend(options.overlays.iter().cloned());
    // A new file changes the time of its folder.
    files.extend(load::scenario_folder(options));
    let document = options.document().map(|read| read.sources);
    let scenarios = scenarios(options).map(|read| read.sources);
    let behaviour = behaviour(options).map(|read| read.sources);
    let maps: Vec<SourceMap> = [document, scenarios, behaviour]
        .into_iter()
        .flatten()
        .collect();
    files.extend(identity::files(&maps).map(|file| file.path().to_owned()));
    files.sort();
    files.dedup();
    files
}

/// The ids of the cases that a run would decide, in the order of the document, then those that test
/// facts. Laws add further cases while they run.
///
/// # Errors
/// The document, a scenario or the scope cannot be used.
pub fn list(options: &Options) -> Result<Vec<String>, RunError> {
    let (document, scenarios) = document_with_scenarios(options)?;
    let contract = Contract::new(&document);
    check_selection(&document, &options.selection)?;
    let selection = options.selection.of_document(&document);
    let collection = collect::collect(&contract, scenarios.list, &selection, false);
    let policy = Policy::new(true, true);
    let mut plan = plan::plan(&document, collection, policy, &selection.withheld);
    plan.keep(&selection);
    let mut cases = plan.cases();
    let behaviour = sound_behaviour(options, &document)?;
    let facts = facts(options, &document, &behaviour)?;
    let model = Model::within(&document, behaviour, &selection.withheld);
    for trial in trials::plan(&facts, &model) {
        let case = trial.case();
        let call = model.call(&trial.operation);
        let is_covered = call.is_some_and(|call| selection.covers(&call.operation));
        if is_covered && selection.wants(&case) && !cases.contains(&case) {
            cases.push(case);
        }
    }
    Ok(cases)
}

/// Runs everything, and sends each event to all consumers.
pub async fn run(options: &Options, consumers: &mut [&mut dyn Consumer]) -> Result<(), RunError> {
    let (document, scenarios) = document_with_scenarios(options)?;
    check_references(&document)?;
    let url = client::address(&options.url)?;
    check_selection(&document, &options.selection)?;
    let behaviour = sound_behaviour(options, &document)?;
    let facts = facts(options, &document, &behaviour)?;
    let contract = Contract::new(&document).with(&facts);
    check_inputs(&scenarios.list, &options.selection)?;
    let known = known(options, &document)?;
    let identity = Identity::of(&document, &[&scenarios.sources, &behaviour.sources]);
    let frozen = frozen(options, &identity.version)?;
    let weights = Weights {
        profile: options.profile,
        examples: (options.examples)
            .or_else(|| Examples::of(&document))
            .unwrap_or_default(),
    };
    let confirmed = behaviour.confirmed.clone();
    let client = connected(options, &url, limit(options, &document)).await?;
    let target = target(options, &url, client.credential(), &document);
    let selection = selection(options, &target, &document);
    let collection = collect::collect(&contract, scenarios.list, &selection, options.laws);
    let model = options
        .laws
        .then(|| Model::within(&document, behaviour, &selection.withheld));
    let tested = model.as_ref().map(|model| trials::evidence(&facts, model));
    let requirements = Requirements::new(&document, confirmed, weights, frozen)
        .with_facts(tested.unwrap_or_default());
    let untestable = match &model {
        Some(model) if selection.operations.is_empty() => trials::untestable(&facts, model),
        _ => Vec::new(),
    };
    let setting = model.as_ref().map(|model| Setting {
        model,
        facts: &facts,
        recipes: Recipes::new(&contract, &selection, model, &collection.scripts),
        selection: &selection,
    });
    let policy = Policy::new(client::is_loopback(&url), options.allow_writes);
    let mut plan = plan::plan(&document, collection, policy, &selection.withheld);
    plan.keep(&selection);
    let notifications = Notifications::start(&options.notifications, &document, policy.races).await;
    let hooks = Hooks {
        webhooks: notifications.webhooks(),
        ..options.hooks.clone()
    };
    let ready = prepare_server((options, &hooks), &client, &url).await?;
    let secrets = secrets(options, &target);
    let consumed = consumers.iter().map(|consumer| consumer.wants());
    let wants = consumed.fold(Wants::default(), Wants::or);
    let list = requirements.list();
    let mut dispatcher = Dispatcher::new(consumers, &selection, known, requirements);
    let started = start(options, (&document, &url), (identity, list), &secrets);
    dispatcher.dispatch(Event::Started(Box::new(started)));
    for fact in untestable {
        dispatcher.dispatch(Event::Case(CaseReport::untestable(fact)));
    }
    let judge = Judge {
        contract: &contract,
        weights,
    };
    let proxy = options.transport.proxy()?;
    let wire = Wire {
        client: &client,
        entry: proxy.as_ref().unwrap_or(&url),
        target: &target,
        secrets: &secrets,
        seed: Seed {
            choices: options.seed,
            keys: options.salt,
        },
        selection: &options.selection,
        wants,
        parallel: at_once(options, &url),
        keeps_records: options.keep_records,
        notifications: &notifications,
        hooks: &hooks,
    };
    let mut emit = |event: Event| dispatcher.dispatch(event);
    let laws = setting
        .as_ref()
        .map(|setting| (setting, laws::hold as RunLaws<'_>));
    match ready {
        Ok(()) => Box::pin(execute(plan, &judge, &wire, laws, &mut emit)).await,
        Err(reason) => {
            let failed_hook = |moment: Moment, reason: &str| {
                Event::Case(moment.failed("", &secrets.redact(reason)))
            };
            emit(failed_hook(Moment::Before, &reason));
            if let Err(reason) = hooks.run(Moment::After, "").await {
                emit(failed_hook(Moment::After, &reason));
            }
            emit(Event::Finished(Finish::default()));
        }
    }
    Ok(dispatcher.finish()?)
}

/// The facts of the document and the behaviour file; none when no law runs.
fn facts(options: &Options, document: &Document, behaviour: &Behaviour) -> Result<Facts, RunError> {
    if !options.laws {
        return Ok(Facts::default());
    }
    let facts = openapi_facts::read(document, Some(behaviour));
    if facts.problems.has_errors() {
        let text = facts.problems.render(&behaviour.sources, false);
        return Err(RunError::Usage(text.trim_end().to_owned()));
    }
    Ok(facts)
}

/// Creates the client. Waits until the address of its login can be reached.
async fn connected(options: &Options, url: &Url, limit: Duration) -> Result<Client, RunError> {
    let started = Instant::now();
    loop {
        let client = Client::new(url, limit, &options.transport).await;
        let is_absent = matches!(client, Err(TargetError::Unreachable { .. }));
        if !is_absent || started.elapsed() >= options.wait {
            return Ok(client?);
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

/// The time limit of one request: the documented response time, if it is shorter than the option.
fn limit(options: &Options, document: &Document) -> Duration {
    promise::longest_wait(document)
        .map_or(options.timeout, |promised| promised.min(options.timeout))
}

/// Refuses broken references, because the part of the contract behind one would not be tested.
fn check_references(document: &Document) -> Result<(), RunError> {
    let broken = openapi_document::references::check(document);
    if broken.has_errors() {
        let text = broken.render(&document.sources, false);
        return Err(RunError::Usage(text.trim_end().to_owned()));
    }
    Ok(())
}

/// The scope, with the headers and credentials of every request.
fn selection(options: &Options, target: &Target, document: &Document) -> Selection {
    let names = target.headers.iter();
    Selection {
        headers: names.map(|(name, _)| name.to_ascii_lowercase()).collect(),
        has_credentials: has_credentials(target),
        ..options.selection.of_document(document)
    }
}

/// Runs the first command and connects. The inner error is that of a failed command.
async fn prepare_server(
    (options, hooks): (&Options, &Hooks),
    client: &Client,
    url: &Url,
) -> Result<Result<(), String>, RunError> {
    let ready = hooks.run(Moment::Before, "").await;
    if ready.is_err() {
        return Ok(ready);
    }
    let proxy = options.transport.proxy()?;
    let first = proxy.as_ref().unwrap_or(url);
    let started = Instant::now();
    let greeted = loop {
        let reached = client.reach(first, options.timeout.min(REACH)).await;
        let greeted = match reached {
            Ok(()) => client.greet(url).await,
            unreachable => unreachable,
        };
        if greeted.is_ok() || started.elapsed() >= options.wait {
            break greeted;
        }
        tokio::time::sleep(INTERVAL).await;
    };
    if let Err(error) = greeted {
        // The connection error is more useful than an error of the last command.
        let _ = hooks.run(Moment::After, "").await;
        return Err(error.into());
    }
    Ok(ready)
}

fn secrets(options: &Options, target: &Target) -> Secrets {
    let mut secrets = Secrets::new(&target.headers, &target.credentials);
    for secret in &options.secrets {
        secrets.add(secret, CREDENTIALS);
    }
    let carried = target.headers.iter();
    let carried = carried.filter(|(name, _)| name.eq_ignore_ascii_case("cookie"));
    for secret in carried.flat_map(|(_, value)| token::secrets(value)) {
        secrets.add(&secret, CREDENTIALS);
    }
    for (_, value) in &options.neighbour {
        secrets.add_credential(value, NEIGHBOUR);
    }
    for (_, value) in &options.reader {
        secrets.add_credential(value, READER);
    }
    if let Some(secret) = &options.notifications.secret {
        secrets.add(secret.text(), "$CONFORMANCE_SIGNING_SECRET");
    }
    secrets
}

/// The known deviations of the server.
fn known(options: &Options, document: &Document) -> Result<Known, RunError> {
    let Some(file) = &options.deviations else {
        return Ok(Known::default());
    };
    let operations = document.operations();
    let operations: Vec<String> = operations.iter().map(Operation::label).collect();
    let today = jiff::Timestamp::now().to_string();
    Known::read(file, &operations, today.get(..10).unwrap_or_default())
        .map_err(|error| RunError::Usage(error.to_string()))
}

/// The frozen list of requirements with the requested name or file, else the newest one of the
/// contract's version, if there is one.
fn frozen(options: &Options, version: &str) -> Result<Option<Frozen>, RunError> {
    let usage = |text: String| RunError::Usage(text);
    let lists = Lists::of(&options.spec)
        .map_err(|error| usage(format!("failed to read the lists of requirements: {error}")))?;
    let read = match &options.requirements {
        None => lists.newest(version),
        Some(requested) => {
            let named = requested.to_str().and_then(|name| lists.named(name));
            let file = || requested.is_file().then(|| Frozen::read(requested));
            let read = named.or_else(file).ok_or_else(|| {
                let names = lists.names().join(", ");
                let requested = requested.display();
                usage(format!(
                    "there is no list or file `{requested}` of requirements; the contract has: {names}"
                ))
            })?;
            Some(read)
        }
    };
    let frozen = read.transpose().map_err(|error| usage(error.to_string()))?;
    match frozen.as_ref().and_then(|frozen| frozen.mismatch(version)) {
        Some(mismatch) => Err(usage(mismatch)),
        None => Ok(frozen),
    }
}

/// Refuses a scope that names nothing in the document, because that is a typing error.
fn check_selection(document: &Document, selection: &Selection) -> Result<(), RunError> {
    let operations = document.operations();
    if operations.is_empty() {
        let mistake = "the document has no operations".to_owned();
        return Err(RunError::Usage(mistake));
    }
    let areas: BTreeSet<String> = operations.iter().map(collect::area).collect();
    let unknown = |what: &str, requested: &BTreeSet<String>, known: &BTreeSet<String>| {
        let strange = requested.iter().find(|name| !known.contains(*name))?;
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        Some(format!(
            "there is no {what} `{strange}`{}\n  the document has {}",
            suggestion(strange, known.iter().copied()),
            known.join(", ")
        ))
    };
    let exclusions = &selection.exclusions;
    let mistake = unknown("area", &selection.areas, &areas)
        .or_else(|| unmatched(&operations, &selection.operations))
        .or_else(|| unmatched(&operations, &exclusions.operations))
        .or_else(|| unmatched(&operations, &exclusions.destructive))
        .or_else(|| {
            let mut patterns = exclusions.paths.iter();
            let fits = |pattern: &String| {
                let pattern = WildMatch::new(pattern);
                operations
                    .iter()
                    .any(|operation| pattern.matches(operation.path))
            };
            let strange = patterns.find(|pattern| !fits(pattern))?;
            Some(format!("no path of the document matches `{strange}`"))
        });
    mistake.map_or(Ok(()), |mistake| Err(RunError::Usage(mistake)))
}

/// The greatest number of operations to list in a message.
const FEW_OPERATIONS: usize = 12;

/// The message about the first pattern that names no operation.
fn unmatched(operations: &[Operation<'_>], patterns: &BTreeSet<String>) -> Option<String> {
    let fits = |pattern: &&String| {
        operations
            .iter()
            .any(|operation| withheld::names(pattern, operation))
    };
    let strange = patterns.iter().find(|pattern| !fits(pattern))?;
    let known: Vec<String> = operations.iter().map(Operation::label).collect();
    // The id of a case begins with its operation.
    let name = strange.split('/').next().unwrap_or_default();
    let hint = suggestion(name, known.iter().map(String::as_str));
    let all = if known.len() <= FEW_OPERATIONS {
        format!("the document has {}", known.join(", "))
    } else {
        "`conformance list` prints the cases of all operations".to_owned()
    };
    Some(format!("there is no operation `{strange}`{hint}\n  {all}"))
}

/// Refuses a configured input that no scenario declares, because that is a typing error.
fn check_inputs(scenarios: &[Scenario], selection: &Selection) -> Result<(), RunError> {
    let asks = |scenario: &Scenario, name: &str| {
        scenario.inputs.iter().any(|(declared, _)| declared == name)
    };
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

fn target(
    options: &Options,
    url: &Url,
    credential: &[(String, String)],
    document: &Document,
) -> Target {
    let mut credentials = vec!["authorization".to_owned()];
    for (_, scheme) in document.components("securitySchemes") {
        let is_header = scheme
            .node
            .get("in")
            .and_then(openapi_document::Node::as_str)
            == Some("header");
        let name = scheme
            .node
            .get("name")
            .and_then(openapi_document::Node::as_str);
        if let (true, Some(name)) = (is_header, name) {
            credentials.push(name.to_ascii_lowercase());
        }
    }
    let mut headers = options.headers.clone();
    for (name, value) in credential {
        headers.retain(|(header, _)| !header.eq_ignore_ascii_case(name));
        credentials.push(name.clone());
        headers.push((name.clone(), value.clone()));
    }
    Target {
        base: url.as_str().trim_end_matches('/').to_owned(),
        headers,
        credentials,
        neighbour: options.neighbour.clone(),
        reader: options.reader.clone(),
    }
}

fn has_credentials(target: &Target) -> bool {
    let mut names = target
        .headers
        .iter()
        .map(|(name, _)| name.to_ascii_lowercase());
    names.any(|name| target.credentials.contains(&name))
}

fn start(
    options: &Options,
    (document, url): (&Document, &Url),
    (contract, requirements): (Identity, Option<ListIdentity>),
    secrets: &Secrets,
) -> Start {
    let title = document.root.get("info").and_then(|info| info.get("title"));
    Start {
        name: options.name.clone(),
        url: secrets.redact(&options.url),
        spec: options.spec.shown(),
        title: title
            .and_then(openapi_document::Node::as_str)
            .unwrap_or("untitled")
            .to_owned(),
        profile: match options.profile {
            Profile::Documented => "documented".to_owned(),
            Profile::Complete => "complete".to_owned(),
            Profile::Area => options.selection.areas.iter().cloned().collect(),
        },
        seed: options.seed,
        started: jiff::Timestamp::now()
            .strftime("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        contract,
        requirements,
        configuration: configuration(options, document, secrets),
        base_path: base_path::lacking(document, url),
    }
}

/// The names of headers with a placeholder for their values.
fn placeholders(headers: &[(String, String)], shown: &str) -> BTreeMap<String, String> {
    let names = headers.iter().map(|(name, _)| name.clone());
    names.map(|name| (name, shown.to_owned())).collect()
}

/// The operations that the run does not call, each with its reason.
fn not_called(document: &Document, options: &Options) -> BTreeMap<String, String> {
    let selection = options.selection.of_document(document);
    let all = selection.withheld.all();
    all.map(|(operation, reason)| (operation.to_owned(), reason.to_owned()))
        .collect()
}

/// The number of parallel requests.
fn at_once(options: &Options, url: &Url) -> u32 {
    let usual = if client::is_loopback(url) { AT_ONCE } else { 1 };
    options.parallel.unwrap_or(usual)
}

fn configuration(options: &Options, document: &Document, secrets: &Secrets) -> Configuration {
    let selection = &options.selection;
    let header = |(name, _): &(String, String)| {
        let shown = secrets.header(name).unwrap_or_default();
        (name.clone(), shown.to_owned())
    };
    let inputs = selection.inputs.keys().cloned();
    let of_scenarios = selection.scenario_inputs.iter();
    let of_scenarios =
        of_scenarios.flat_map(|(name, all)| all.keys().map(move |key| format!("{name}/{key}")));
    Configuration {
        areas: selection.areas.iter().cloned().collect(),
        operations: selection.operations.iter().cloned().collect(),
        withheld: not_called(document, options),
        cases: selection.cases.iter().cloned().collect(),
        shard: selection.shard.clone(),
        headers: options.headers.iter().map(header).collect(),
        neighbour: placeholders(&options.neighbour, NEIGHBOUR),
        reader: placeholders(&options.reader, READER),
        inputs: inputs.chain(of_scenarios).collect(),
        timeout_ms: u64::try_from(limit(options, document).as_millis()).unwrap_or(u64::MAX),
        allow_writes: options.allow_writes,
        allow_destructive: selection.exclusions.allow_destructive,
    }
}
