//! Scene: prepares operations, composes requests and sends them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use openapi_document::Node;
use openapi_document::view::{Location, Status};
use openapi_facts::{Facts, Rule};

use super::attempts;
use super::created::Created;
use super::found::Found;
use super::lag;
use super::watch::{Breach, Watch};
use crate::answered::status;
use crate::case::{ArgumentValue, Step};
use crate::collect::Selection;
use crate::exchange::{Exchange, Sent};
use crate::execute::{Sender, State, scope};
use crate::fresh::Fresh;
use crate::model::{Call, Model};
use crate::names;
use crate::notifications::Notifications;
use crate::recipe::{BodySize, Recipe, Recipes};
use crate::setting::Setting;
use crate::shape::Shape;

/// The actions of one run of a law, with what they need.
pub(crate) struct Scene<'w, 'd> {
    pub(crate) sender: Sender<'w, 'd>,
    /// The operations and their records.
    pub(crate) model: &'w Model<'d>,
    /// The facts of the document and its behaviour file.
    pub(crate) facts: &'w Facts,
    /// The operations in scope.
    pub(crate) selection: &'w Selection,
    pub(super) recipes: &'w Recipes<'w, 'd>,
    /// Results that all laws share.
    pub(crate) found: &'w Found,
    /// The id of the case that requests are sent for.
    pub(crate) current: String,
    /// The first server error that the case met.
    pub(crate) broken: Option<Exchange>,
    /// The first answer of the case that breaks a rule for every answer.
    pub(crate) breached: Option<Box<(Exchange, Breach)>>,
    /// Checks the rules for every answer.
    pub(crate) watch: &'w dyn Watch<'d>,
    /// The time of the last writing request.
    pub(crate) changed: Instant,
    /// The number of readings composed so far, which makes their names unique.
    pub(crate) readings: u64,
    /// Records to cancel after the law.
    pub(super) created: Vec<Created>,
}

/// An operation that is prepared: its call should succeed now.
pub(crate) struct Ready<'w, 'd> {
    /// The call.
    pub(crate) call: Step<'d>,
    /// The outputs of the steps before it.
    pub(crate) state: State<'w>,
}

impl<'w, 'd> Scene<'w, 'd> {
    /// A scene without any sent requests.
    pub(crate) fn new(
        sender: Sender<'w, 'd>,
        setting: &'w Setting<'_, 'd>,
        (found, watch): (&'w Found, &'w dyn Watch<'d>),
    ) -> Self {
        Self {
            sender,
            model: setting.model,
            facts: setting.facts,
            selection: setting.selection,
            recipes: &setting.recipes,
            found,
            current: String::new(),
            broken: None,
            breached: None,
            watch,
            changed: Instant::now(),
            readings: 0,
            created: Vec::new(),
        }
    }

    /// Whether requests that change something may be sent.
    pub(crate) fn may_write(&self) -> bool {
        self.sender.policy.writes
    }

    /// The receiver of notifications.
    pub(crate) fn notifications(&self) -> &'w Notifications {
        self.sender.wire.notifications
    }

    /// Whether requests may race each other.
    pub(crate) fn may_race(&self) -> bool {
        self.sender.policy.races
    }

    /// The contract of the run.
    pub(crate) fn contract(&self) -> &'w crate::contract::Contract<'d> {
        self.sender.judge.contract
    }

    /// Prepares an operation. The steps before the call use fresh keys, so that no other case shares their records.
    /// The first call per operation also finds the recipe that succeeds.
    ///
    /// # Errors
    /// No recipe succeeds; the text says why.
    pub(crate) async fn ready(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let operation = call.operation.label();
        if !self.may_write() && !call.operation.method.is_safe() {
            return Err("the request changes something: give --allow-writes to send it".to_owned());
        }
        let known = self.found.choice(&operation);
        let is_new = known.get().is_none();
        let chosen = known.get_or_init(|| self.choose(call)).await.clone();
        if is_new {
            // The search may have used up a limited number of records.
            self.tidy().await;
        }
        let recipe = self.recipe(call, chosen?).ok_or("no recipe succeeds")?;
        self.prepare(recipe, tag).await
    }

    /// The recipes of an operation that create what it needs. A successful recipe that continues its creator's comes
    /// first,
    /// followed by those that differ from it only in the call's example.
    pub(crate) fn recipes(&self, call: &Call<'d>) -> Vec<&'w Recipe<'d>> {
        let created = self.all_recipes(call).iter();
        let created = created
            .take_while(|recipe| recipe.based_on.is_none() && recipe.size != BodySize::Empty);
        let onward = self.chosen(call).filter(|recipe| recipe.is_onward);
        let label = call.operation.label();
        let beside = onward.map(|item| self.recipes.beside(&label, item));
        let beside = beside.into_iter().flatten();
        onward.into_iter().chain(beside).chain(created).collect()
    }

    /// The recipe that succeeded for an operation. `None` if none did, or none was tried yet.
    pub(crate) fn chosen(&self, call: &Call<'d>) -> Option<&'w Recipe<'d>> {
        let choice = self.found.choice(&call.operation.label());
        self.recipe(call, choice.get()?.clone().ok()?)
    }

    /// All recipes of an operation, including those that use records from examples.
    pub(crate) fn all_recipes(&self, call: &Call<'d>) -> &'w [Recipe<'d>] {
        self.recipes.for_operation(&call.operation.label())
    }

    /// A recipe by its index.
    pub(crate) fn recipe(&self, call: &Call<'d>, chosen: usize) -> Option<&'w Recipe<'d>> {
        self.recipes.nth(&call.operation.label(), chosen)
    }

    /// The recipes of an operation that continue a recipe of its record's creator.
    pub(super) fn onward(&self, call: &Call<'d>, creator: &Recipe<'d>) -> &'w [Recipe<'d>] {
        self.recipes.onward(&call.operation.label(), creator)
    }

    /// Whether an operation is in scope.
    pub(crate) fn covers(&self, call: &Call<'d>) -> bool {
        self.selection.covers(&call.operation)
    }

    /// A random generator that depends only on the seed of the run and a name.
    pub(crate) fn random(&self, name: &str) -> fastrand::Rng {
        Fresh::new(self.sender.wire.seed, name).random()
    }

    /// Runs the steps of a recipe before its call.
    ///
    /// # Errors
    /// One of them did not succeed.
    pub(crate) async fn prepare(
        &mut self,
        recipe: &'w Recipe<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let (_, before) = recipe.split().ok_or("an empty recipe")?;
        self.prepare_by(recipe, before, tag).await
    }

    /// Like [`Self::prepare`], with other steps before the call.
    ///
    /// # Errors
    /// One of them did not succeed.
    pub(crate) async fn prepare_by(
        &mut self,
        recipe: &'w Recipe<'d>,
        before: &[Step<'d>],
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let (call, _) = recipe.split().ok_or("an empty recipe")?;
        let name = format!("{}#{}#{tag}", recipe.script.name, call.name.operation);
        let fresh = Fresh::new(self.sender.wire.seed, &name);
        let mut state = State::new(&recipe.script.inputs, fresh);
        state.kept = Some(Vec::new());
        self.call_once(call, &mut state);
        for (index, step) in before.iter().enumerate() {
            self.sender.step(&recipe.script, step, &mut state).await;
            if let Some(why) = state.failed.get(&step.id) {
                let last = state.kept.as_deref().and_then(<[Exchange]>::last);
                if last.is_some_and(attempts::is_for_its_request) {
                    self.found.attempts.note(&before[..=index], why);
                }
                return Err(why.clone());
            }
        }
        if !before.is_empty() {
            self.changed = Instant::now();
        }
        for exchange in state.kept.iter().flatten() {
            self.note_created(exchange);
            self.note_breach(exchange);
        }
        Ok(Ready {
            call: call.clone(),
            state,
        })
    }

    /// Chooses client-supplied ids once per preparation, so that all its requests use the same ones.
    fn call_once(&self, call: &Step<'d>, state: &mut State<'_>) {
        let model = self.model;
        let is_chosen = |name: &str| model.is_client_chosen(&call.operation, name);
        let arguments = call.request.arguments.iter();
        for argument in arguments
            .filter(|parameter| parameter.location == Location::Path && parameter.natural_key)
        {
            if let (ArgumentValue::Example(value), true) =
                (&argument.value, is_chosen(&argument.name))
                && let Some(text) = value.as_str()
            {
                let shape = Shape::of(model.document, argument.schema.as_ref());
                state.fresh.key_of_form(text, &shape);
            }
        }
    }

    /// Creates again what the body of a call uses up, such as a pairing code. Returns whether there was anything to
    /// create.
    pub(crate) async fn renew(&mut self, ready: &mut Ready<'w, 'd>) -> bool {
        let call = self.model.call(&ready.call.name.operation);
        let recipe = call.and_then(|item| self.chosen(item));
        let Some((recipe, (_, before))) = recipe.and_then(|recipe| Some((recipe, recipe.split()?)))
        else {
            return false;
        };
        let request = &ready.call.request;
        let needed: Vec<&str> = request
            .replacements
            .iter()
            .filter_map(|pair| pair.1.step())
            .collect();
        let of_path = request
            .arguments
            .iter()
            .filter_map(|entry| match &entry.value {
                ArgumentValue::Scenario(template) => template.step(),
                _ => None,
            });
        let of_path: Vec<&str> = of_path.collect();
        let is_used = |step: &&Step<'d>| {
            needed.contains(&step.id.as_str()) && !of_path.contains(&step.id.as_str())
        };
        let again: Vec<Step<'d>> = before.iter().filter(is_used).cloned().collect();
        for step in &again {
            self.sender
                .step(&recipe.script, step, &mut ready.state)
                .await;
            if ready.state.failed.contains_key(&step.id) {
                return false;
            }
        }
        !again.is_empty()
    }

    /// The step of another call for which the records of this preparation suffice.
    pub(crate) fn step_on(&self, call: &Call<'d>, ready: &Ready<'_, 'd>) -> Option<Step<'d>> {
        let created = &ready.state.values.outputs;
        // The recipe that succeeded comes first: then only the state of the record can cause a refusal.
        let chosen = self.chosen(call);
        let recipes = chosen.into_iter().chain(self.recipes(call));
        let mut steps = recipes.filter_map(|recipe| Some(recipe.split()?.0));
        let fits = |step: &&Step<'d>| {
            let mut needs = step.flow.needs.iter();
            !step.flow.needs.is_empty() && needs.all(|name| created.contains_key(name))
        };
        steps.find(fits).cloned()
    }

    /// Waits, so that time passes on the server.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    /// The request of a call. The tag determines its fresh keys.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn compose(&self, ready: &Ready<'_, 'd>, tag: &str) -> Result<Sent, String> {
        self.compose_step(ready, &ready.call, tag)
    }

    /// The request of another step instead of the call.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn compose_step(
        &self,
        ready: &Ready<'_, 'd>,
        step: &Step<'d>,
        tag: &str,
    ) -> Result<Sent, String> {
        let scope = scope(&ready.state.values, None);
        let mut fresh = ready.state.fresh.fork(tag);
        self.sender.compose(step, &scope, &mut fresh)
    }

    /// Composes a step of the preparation again, with other fresh keys.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn compose_again(
        &self,
        ready: &Ready<'_, 'd>,
        step: &Step<'d>,
        tag: &str,
    ) -> Result<Sent, String> {
        let scope = scope(&ready.state.values, None);
        let mut fresh = ready.state.fresh.apart(tag);
        self.sender.compose(step, &scope, &mut fresh)
    }

    /// Whether two requests of a call are always identical, so that a server that requires unique values accepts only
    /// one.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn is_never_new(&self, ready: &Ready<'_, 'd>, tag: &str) -> Result<bool, String> {
        let (one, other) = (self.compose(ready, tag)?, self.compose(ready, "another")?);
        Ok(one.body == other.body && one.url == other.url)
    }

    /// Composes and sends the call.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) async fn call(
        &mut self,
        ready: &Ready<'_, 'd>,
        tag: &str,
    ) -> Result<Exchange, String> {
        let sent = self.compose(ready, tag)?;
        Ok(self.send(sent).await)
    }

    /// Sends a request, after the documented lag if it reads a list.
    pub(crate) async fn send(&mut self, mut sent: Sent) -> Exchange {
        sent.case.clone_from(&self.current);
        self.catch_up(&sent).await;
        let exchange = self.sender.send(sent).await;
        self.notice(&exchange);
        self.note_created(&exchange);
        exchange
    }

    /// Waits until a list with a documented lag shows the last change.
    async fn catch_up(&self, sent: &Sent) {
        let call = self.model.call(&sent.operation);
        let behind = call.and_then(|call| lag::lag_of(&self.model.behaviour, call));
        if let Some(behind) = behind {
            self.pass(behind.saturating_sub(self.changed.elapsed()))
                .await;
        }
    }

    /// Records an undocumented 5xx, an unexpected error code, and a breach of a rule for every answer.
    fn notice(&mut self, exchange: &Exchange) {
        if !exchange.sent.method.is_safe() {
            self.changed = Instant::now();
        }
        let status = status(exchange).unwrap_or_default();
        let call = self.model.call(&exchange.sent.operation);
        let is_documented = call.is_some_and(|call| {
            let response = call.operation.response(status);
            response.is_some_and(|response| response.status != Status::Default)
        });
        let may_be = status < 500 || matches!(status, 501 | 503) || is_documented;
        if !may_be && self.broken.is_none() {
            self.broken = Some(exchange.clone());
        }
        self.note_refusal(exchange);
        self.note_breach(exchange);
    }

    fn note_breach(&mut self, exchange: &Exchange) {
        if self.breached.is_none() {
            self.breached = self
                .breach(exchange)
                .map(|breach| Box::new((exchange.clone(), breach)));
        }
    }

    /// The first rule for every answer that a success breaks.
    fn breach(&self, exchange: &Exchange) -> Option<Breach> {
        let call = self.model.call(&exchange.sent.operation)?;
        let answer = exchange.outcome.as_ref().ok();
        let body = answer.filter(|answer| answer.is_success())?.json()?;
        call.success.as_ref()?.media.as_ref()?;
        // The parameters of pages leave out no item between others, as filters do.
        let is_of_pages = |name: &str| {
            let mut facts = self.facts_about(call);
            facts.any(|fact| match &fact.rule {
                Rule::Paging(rule) => rule.subject.name.as_deref() == Some(name),
                _ => false,
            })
        };
        let mut query = exchange.sent.query.iter();
        let is_whole = query.all(|(name, _)| is_of_pages(name));
        self.watch.breach(call, body, is_whole)
    }

    /// Sends requests concurrently.
    pub(crate) async fn send_together(&mut self, mut all: Vec<Sent>) -> Vec<Exchange> {
        for sent in &mut all {
            sent.case.clone_from(&self.current);
        }
        let exchanges = self.sender.send_together(all).await;
        for exchange in &exchanges {
            self.notice(exchange);
            self.note_created(exchange);
        }
        exchanges
    }

    /// Replaces the JSON body of a request.
    pub(crate) fn put_json(&self, sent: &mut Sent, step: &Step<'d>, json: Node) {
        let schema = step
            .request
            .body
            .as_ref()
            .and_then(|body| body.schema.as_ref());
        sent.put_json(self.model.document, schema, json);
    }

    /// Replaces the JSON body of a request. `None` if the schema does not allow the new one.
    pub(crate) fn put_valid(
        &self,
        call: &Call<'d>,
        (sent, step): (&mut Sent, &Step<'d>),
        json: Node,
    ) -> Option<()> {
        let schema = call.body.as_ref()?;
        let broken = self.contract().validate_request(schema, &json).ok()?;
        broken.is_empty().then(|| self.put_json(sent, step, json))
    }

    /// The names of the headers with credentials.
    pub(crate) fn credentials(&self) -> &[String] {
        &self.sender.wire.target.credentials
    }

    /// The properties of a kind of record that may differ between readings: volatile ones, and those that only
    /// writing operations answer.
    pub(crate) fn volatile(&self, call: &Call<'d>) -> BTreeSet<String> {
        let name = call
            .record()
            .map(|record| record.name.clone())
            .unwrap_or_default();
        let is_this_record = |schema: &str| names::words(schema).join(" ") == name;
        let observed = &self.model.behaviour.volatile;
        let observed = observed
            .iter()
            .filter(|item| is_this_record(&item.schema.text));
        let observed = observed.map(|item| item.property.text.clone());
        let once = call.record().into_iter();
        let once = once.flat_map(|item| self.model.only_written(item)).cloned();
        observed.chain(once).collect()
    }
}
