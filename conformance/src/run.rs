//! One run from its options to its record: the phases in order.

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
use crate::event::{Configuration, Consumer, Event, Finish, Start, Wants};
use crate::execute::{Hold, Wire, execute};
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

/// How long to wait for a first connection, at most.
const REACH: Duration = Duration::from_secs(5);

/// So many requests are under way at once on a server on this machine, unless the user says otherwise; elsewhere one.
const AT_ONCE: u32 = 8;

/// How often a server that is waited for is tried.
const INTERVAL: Duration = Duration::from_millis(250);

mod dry;
mod teller;

pub use crate::run_error::RunError;
pub use dry::dry;
use teller::Teller;

/// The files that a run reads: those of the contract, its scenarios and behaviour, and the known
/// deviations. What cannot be read is left out.
pub fn files(options: &Options) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = options.deviations.iter().cloned().collect();
    if let Spec::File(file) = &options.spec {
        files.push(file.clone());
    }
    files.extend(options.overlays.iter().cloned());
    // A file that comes later changes its folder.
    files.extend(load::scenario_folder(options));
    let document = options.document().map(|own| own.sources);
    let scenarios = scenarios(options).map(|own| own.sources);
    let behaviour = behaviour(options).map(|own| own.sources);
    let maps: Vec<SourceMap> = [document, scenarios, behaviour]
        .into_iter()
        .flatten()
        .collect();
    files.extend(identity::files(&maps).map(|own| own.path().to_owned()));
    files.sort();
    files.dedup();
    files
}

/// The ids of the cases that a run would decide, in the order of the document, then those that test facts. Laws add further
/// ones while they run.
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

/// Runs everything; each event goes to all consumers.
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
    let ready = make_ready((options, &hooks), &client, &url).await?;
    let secrets = secrets(options, &target);
    let consumed = consumers.iter().map(|consumer| consumer.wants());
    let wants = consumed.fold(Wants::default(), Wants::or);
    let list = requirements.list();
    let mut teller = Teller::new(consumers, &selection, known, requirements);
    let started = start(options, (&document, &url), (identity, list), &secrets);
    teller.tell(Event::Started(Box::new(started)));
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
    let mut emit = |event: Event| teller.tell(event);
    let laws = setting
        .as_ref()
        .map(|setting| (setting, laws::hold as Hold<'_>));
    match ready {
        Ok(()) => Box::pin(execute(plan, &judge, &wire, laws, &mut emit)).await,
        Err(reason) => {
            let told = |moment: Moment, reason: &str| {
                Event::Case(moment.failed("", &secrets.redact(reason)))
            };
            emit(told(Moment::Before, &reason));
            if let Err(reason) = hooks.run(Moment::After, "").await {
                emit(told(Moment::After, &reason));
            }
            emit(Event::Finished(Finish::default()));
        }
    }
    Ok(teller.finish()?)
}

/// What the document and the behaviour file say; nothing where no law is tried.
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

/// The client, once its login can be reached.
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

/// The time limit of one request: what the document promises of every answer, where that is less.
fn limit(options: &Options, document: &Document) -> Duration {
    promise::of(document).map_or(options.timeout, |own| own.min(options.timeout))
}

/// A reference that leads nowhere would make a part of the contract bind nobody.
fn check_references(document: &Document) -> Result<(), RunError> {
    let broken = openapi_document::references::check(document);
    if broken.has_errors() {
        let text = broken.render(&document.sources, false);
        return Err(RunError::Usage(text.trim_end().to_owned()));
    }
    Ok(())
}

/// What is in scope, with what every request carries.
fn selection(options: &Options, target: &Target, document: &Document) -> Selection {
    let names = target.headers.iter();
    Selection {
        headers: names.map(|(name, _)| name.to_ascii_lowercase()).collect(),
        has_credentials: has_credentials(target),
        ..options.selection.of_document(document)
    }
}

/// Runs the command before everything, and connects; why the command failed, where it has.
async fn make_ready(
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
        // Why nobody answers says more than what comes of clearing up.
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

/// The frozen list of requirements that is asked for by name or file, else the newest of the contract's
/// version, where there is one.
fn frozen(options: &Options, version: &str) -> Result<Option<Frozen>, RunError> {
    let usage = |text: String| RunError::Usage(text);
    let lists = Lists::of(&options.spec)
        .map_err(|error| usage(format!("failed to read the lists of requirements: {error}")))?;
    let read = match &options.requirements {
        None => lists.newest(version),
        Some(asked) => {
            let named = asked.to_str().and_then(|own| lists.named(own));
            let file = || asked.is_file().then(|| Frozen::read(asked));
            let read = named.or_else(file).ok_or_else(|| {
                let names = lists.names().join(", ");
                let asked = asked.display();
                usage(format!(
                    "there is no list or file `{asked}` of requirements; the contract has: {names}"
                ))
            })?;
            Some(read)
        }
    };
    let frozen = read.transpose().map_err(|error| usage(error.to_string()))?;
    match frozen.as_ref().and_then(|own| own.mismatch(version)) {
        Some(mismatch) => Err(usage(mismatch)),
        None => Ok(frozen),
    }
}

/// A scope that names nothing of the document is a typing error, not an empty run.
fn check_selection(document: &Document, selection: &Selection) -> Result<(), RunError> {
    let operations = document.operations();
    if operations.is_empty() {
        let mistake = "the document has no operations".to_owned();
        return Err(RunError::Usage(mistake));
    }
    let areas: BTreeSet<String> = operations.iter().map(collect::area).collect();
    let unknown = |what: &str, asked: &BTreeSet<String>, known: &BTreeSet<String>| {
        let strange = asked.iter().find(|name| !known.contains(*name))?;
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
                operations.iter().any(|own| pattern.matches(own.path))
            };
            let strange = patterns.find(|own| !fits(own))?;
            Some(format!("no path of the document matches `{strange}`"))
        });
    mistake.map_or(Ok(()), |mistake| Err(RunError::Usage(mistake)))
}

/// A message lists so many operations; it names the command that lists more.
const FEW_OPERATIONS: usize = 12;

/// What is wrong with patterns of which one names no operation.
fn unmatched(operations: &[Operation<'_>], patterns: &BTreeSet<String>) -> Option<String> {
    let fits = |pattern: &&String| operations.iter().any(|own| withheld::names(pattern, own));
    let strange = patterns.iter().find(|own| !fits(own))?;
    let known: Vec<String> = operations.iter().map(Operation::label).collect();
    // A case begins with its operation.
    let name = strange.split('/').next().unwrap_or_default();
    let hint = suggestion(name, known.iter().map(String::as_str));
    let all = if known.len() <= FEW_OPERATIONS {
        format!("the document has {}", known.join(", "))
    } else {
        "`conformance list` prints the cases of all operations".to_owned()
    };
    Some(format!("there is no operation `{strange}`{hint}\n  {all}"))
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
        headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
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

/// The names of headers, each with what stands in the place of its value.
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

/// How many requests are under way at once.
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
    let own = selection.scenario_inputs.iter();
    let own = own.flat_map(|(name, all)| all.keys().map(move |key| format!("{name}/{key}")));
    Configuration {
        areas: selection.areas.iter().cloned().collect(),
        operations: selection.operations.iter().cloned().collect(),
        withheld: not_called(document, options),
        cases: selection.cases.iter().cloned().collect(),
        shard: selection.shard.clone(),
        headers: options.headers.iter().map(header).collect(),
        neighbour: placeholders(&options.neighbour, NEIGHBOUR),
        reader: placeholders(&options.reader, READER),
        inputs: inputs.chain(own).collect(),
        timeout_ms: u64::try_from(limit(options, document).as_millis()).unwrap_or(u64::MAX),
        allow_writes: options.allow_writes,
        allow_destructive: selection.exclusions.allow_destructive,
    }
}
