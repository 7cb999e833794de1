//! World: what laws act through. It brings operations to their calls, sends, judges and reports.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use spec::behaviour::{Transition, Wire};
use spec::document::{Location, Response};
use spec::{Node, Pointer};

use super::addressing::{bound, can_address, names_key, told_again};
use super::answered::{own_key, record_of, status};
use crate::case::{ArgumentValue, CaseName, Expected, Flow, Request, Step};
use crate::checks::Check;
use crate::collect::documented::{self, is_success};
use crate::collect::{Selection, area, request};
use crate::compose;
use crate::contract::Spot;
use crate::event::CaseReport;
use crate::exchange::{Exchange, Sent};
use crate::execute::{Runner, State, scope};
use crate::fresh::Fresh;
use crate::judge::{Difference, History};
use crate::level::Verdict;
use crate::model::{self, Call, Model, Role, names};
use crate::recipe::{Recipe, Recipes};
use crate::shape::Shape;
use crate::value;

/// What laws act through.
pub(crate) struct World<'w, 'r, 'j, 'd> {
    runner: &'w mut Runner<'r, 'j, 'd>,
    /// What the document says of its records.
    pub(crate) model: &'w Model<'d>,
    /// What is in scope.
    pub(crate) selection: &'w Selection,
    recipes: &'w Recipes<'d>,
    /// Which of its recipes brings an operation to succeed; why none does.
    chosen: BTreeMap<String, Result<usize, String>>,
    /// The law that is at work.
    law: &'static str,
    /// An answer of each operation that none does.
    refused: BTreeMap<String, Exchange>,
    /// The case that requests are sent for.
    current: String,
    /// Documented statuses that were answered as documented, and by which case.
    reached: BTreeMap<(String, u16), Vec<String>>,
}

/// An operation whose call would succeed now.
pub(crate) struct Ready<'w, 'd> {
    /// The call.
    pub(crate) call: Step<'d>,
    /// What the steps before it left behind.
    pub(crate) state: State<'w>,
}

/// A case while its law is at work.
pub(crate) struct Draft {
    name: CaseName,
    started: Instant,
    requests: u64,
    differences: Vec<Difference>,
    skipped: Option<String>,
}

/// From which states a step may be taken.
pub(crate) struct Rule {
    /// The property that tells the state.
    pub(crate) property: String,
    /// The event that the step is.
    pub(crate) event: String,
    /// The states, as the wire has them.
    pub(crate) from: BTreeSet<String>,
}

/// What a difference says, before it is weighed.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    /// The check that finds it.
    pub(crate) check: &'static Check,
    /// Where in the body.
    pub(crate) pointer: Pointer,
    /// What should be.
    pub(crate) expected: String,
    /// What is.
    pub(crate) actual: String,
    /// Where the contract says so.
    pub(crate) spot: Spot,
}

impl Draft {
    /// The case could not be exercised.
    pub(crate) fn skip(&mut self, reason: impl Into<String>) {
        self.skipped.get_or_insert_with(|| reason.into());
    }

    /// Whether nothing was found so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.differences.is_empty()
    }

    /// The id of the case.
    pub(crate) fn id(&self) -> &str {
        &self.name.id
    }
}

impl<'w, 'r, 'j, 'd> World<'w, 'r, 'j, 'd> {
    /// A world in which nothing was tried yet.
    pub(crate) fn new(
        runner: &'w mut Runner<'r, 'j, 'd>,
        model: &'w Model<'d>,
        recipes: &'w Recipes<'d>,
        selection: &'w Selection,
    ) -> Self {
        Self {
            runner,
            model,
            selection,
            recipes,
            chosen: BTreeMap::new(),
            law: "",
            refused: BTreeMap::new(),
            current: String::new(),
            reached: BTreeMap::new(),
        }
    }

    /// Begins with a law.
    pub(crate) fn begin(&mut self, law: &'static str) {
        self.law = law;
    }

    /// The calls in scope, in the order of the document.
    pub(crate) fn calls(&self) -> Vec<&'w Call<'d>> {
        let model = self.model;
        let selection = self.selection;
        let law = self.law;
        let covers = |call: &&Call<'d>| {
            let case = format!("laws/{law}/{}", call.operation.label());
            selection.covers(&call.operation) && selection.wants(&case)
        };
        model.calls.iter().filter(covers).collect()
    }

    /// Whether requests that change something may be sent.
    pub(crate) fn may_write(&self) -> bool {
        self.runner.policy.writes
    }

    /// Whether requests may race each other.
    pub(crate) fn may_race(&self) -> bool {
        self.runner.policy.races
    }

    /// Begins a case: `laws/<law>/<operationId>`.
    pub(crate) fn draft(&mut self, law: &str, call: &Call<'d>) -> Draft {
        let operation = call.operation.label();
        self.current = format!("laws/{law}/{operation}");
        Draft {
            name: CaseName {
                id: self.current.clone(),
                area: area(&call.operation),
                operation,
            },
            started: Instant::now(),
            requests: self.runner.requests,
            differences: Vec::new(),
            skipped: None,
        }
    }

    /// Reports a case.
    pub(crate) fn settle(&mut self, draft: Draft) {
        let mut report = CaseReport::unsent(&draft.name, Verdict::Pass, "");
        report.reason = None;
        report.requests = self.runner.requests - draft.requests;
        report.duration_ms = u64::try_from(draft.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        report.verdict = Verdict::of(draft.differences.iter().map(|own| own.level));
        if let (true, Some(reason)) = (draft.differences.is_empty(), draft.skipped) {
            report.verdict = Verdict::Skip;
            report.reason = Some(reason);
        }
        report.differences = draft.differences;
        self.runner.report(report);
    }

    /// Adds a difference that an exchange shows; one for each check and place is enough.
    pub(crate) fn differ(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        claim: Claim,
        exchange: &Exchange,
    ) {
        let found = self.runner.judge.difference(
            &call.operation,
            claim.check,
            &claim.pointer,
            (claim.expected, claim.actual),
            claim.spot,
        );
        self.add(draft, vec![found], &exchange.sent);
    }

    fn add(&self, draft: &mut Draft, mut found: Vec<Difference>, sent: &Sent) {
        self.runner.finish(&mut found, sent);
        for difference in found {
            let same = |own: &Difference| {
                own.check == difference.check && own.pointer == difference.pointer
            };
            if !draft.differences.iter().any(same) {
                draft.differences.push(difference);
            }
        }
    }

    /// Where the contract has an operation.
    pub(crate) fn spot(&self, call: &Call<'d>) -> Spot {
        self.runner.judge.contract.spot_of(call.operation.at.node)
    }

    /// Where the contract has a response.
    pub(crate) fn spot_of_response(&self, response: &Response<'d>) -> Spot {
        self.runner.judge.contract.spot(response.key_span)
    }

    /// The contract.
    pub(crate) fn contract(&self) -> &'j crate::contract::Contract<'d> {
        self.runner.judge.contract
    }

    /// Brings an operation to its call; the steps before it run under names of their own, so that
    /// nobody else has their records. Which way leads there is found out once.
    ///
    /// # Errors
    /// No way leads there; says why.
    pub(crate) async fn ready(
        &mut self,
        call: &Call<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let operation = call.operation.label();
        if !self.may_write() && !call.operation.method.is_safe() {
            return Err("the request changes something: give --allow-writes to send it".to_owned());
        }
        let chosen = if let Some(known) = self.chosen.get(&operation) {
            known.clone()
        } else {
            let found = self.choose(call).await;
            self.chosen.insert(operation.clone(), found.clone());
            found
        };
        let way = &self.recipes.ways(&operation)[chosen?];
        self.prepare(way, tag).await
    }

    async fn choose(&mut self, call: &Call<'d>) -> Result<usize, String> {
        let operation = call.operation.label();
        let recipes = self.recipes;
        let ways = recipes.ways(&operation);
        let mut reason = "no example and no name tells how to reach a success".to_owned();
        for (index, way) in ways.iter().enumerate() {
            let ready = match self.prepare(way, "choose").await {
                Ok(ready) => ready,
                Err(error) => {
                    reason = error;
                    continue;
                }
            };
            let exchange = self.call(&ready, "choose").await?;
            match &exchange.outcome {
                Ok(answer) if answer.is_success() => {
                    self.refused.remove(&operation);
                    return Ok(index);
                }
                Ok(answer) => {
                    reason = format!("no way to a success was found: status {}", answer.status);
                }
                Err(_) => "the call has no answer".clone_into(&mut reason),
            }
            // A failure says more than a refusal that comes later.
            let known = self.refused.get(&operation).and_then(status);
            if known.is_none_or(|own| own < 500) {
                self.refused.insert(operation.clone(), exchange);
            }
        }
        Err(reason)
    }

    /// An answer to an operation that no way brings to succeed.
    pub(crate) fn refused(&self, call: &Call<'d>) -> Option<&Exchange> {
        self.refused.get(&call.operation.label())
    }

    /// The ways to an operation.
    pub(crate) fn ways(&self, call: &Call<'d>) -> &'w [Recipe<'d>] {
        self.recipes.ways(&call.operation.label())
    }

    /// Whether an operation is in scope.
    pub(crate) fn covers(&self, call: &Call<'d>) -> bool {
        self.selection.covers(&call.operation)
    }

    /// Chance that the seed of the run decides.
    pub(crate) fn random(&self, name: &str) -> fastrand::Rng {
        Fresh::new(self.runner.wire.seed, name).random()
    }

    /// Gives the last difference of a case the commands of all requests that led to it.
    pub(crate) fn repeat_by(&self, draft: &mut Draft, steps: &[Exchange]) {
        let lines = steps.iter().map(|own| self.runner.curl(&own.sent));
        let lines: Vec<String> = lines.collect();
        if let Some(last) = draft.differences.last_mut() {
            last.curl = lines.join("\n");
        }
    }

    /// From which states a record may take the step that an operation is, as the behaviour file has it.
    pub(crate) fn rule(&self, maker: &Call<'d>, call: &Call<'d>) -> Option<Rule> {
        let id = call.operation.id()?;
        let made_by = maker.operation.id()?;
        self.model.behaviour.records.iter().find_map(|record| {
            let machine = record
                .machines
                .iter()
                .find(|own| own.created_by.as_ref().is_some_and(|by| by.text == made_by))?;
            let event = record.events.iter().find(|event| {
                let mut operations = event.operations.iter();
                operations.any(|(own, by)| own.text == machine.name.text && by.text == id)
            })?;
            let wire = |name: &str| {
                let state = record.states.iter().find(|own| own.name.text == name);
                match state.and_then(|own| own.wire.as_ref()) {
                    Some(Wire::Text(text)) => text.clone(),
                    _ => name.to_owned(),
                }
            };
            let all = machine.transitions.iter();
            let of_event = |own: &&Transition| own.event.text == event.name.text;
            let from = all.filter(of_event).map(|own| wire(&own.from.text));
            Some(Rule {
                property: record.property.as_ref()?.text.clone(),
                event: event.name.text.clone(),
                from: from.collect(),
            })
        })
    }

    /// Runs the steps before the call of one way.
    ///
    /// # Errors
    /// One of them did not succeed.
    pub(crate) async fn prepare(
        &mut self,
        way: &'w Recipe<'d>,
        tag: &str,
    ) -> Result<Ready<'w, 'd>, String> {
        let (call, before) = way.split().ok_or("an empty recipe")?;
        let name = format!("{}#{}#{tag}", way.script.name, call.name.operation);
        let fresh = Fresh::new(self.runner.wire.seed, &name);
        let mut state = State::new(&way.script.inputs, fresh);
        state.kept = Some(Vec::new());
        for step in before {
            let report = self.runner.step(&way.script, step, &mut state).await;
            if state.failed.contains(&step.id) {
                let why = report.reason.unwrap_or_else(|| {
                    let first = report.differences.first();
                    first.map_or_else(String::new, |own| own.actual.clone())
                });
                return Err(format!("`{}` did not succeed: {why}", step.name.operation));
            }
        }
        Ok(Ready {
            call: call.clone(),
            state,
        })
    }

    /// The record that a call is about, or makes another one of, as the steps before the call have left
    /// it, and the operation that made it: the call names its key.
    pub(crate) fn made_before<'e>(
        &self,
        call: &Call<'d>,
        ready: &'e Ready<'_, 'd>,
    ) -> Option<(&'w Call<'d>, &'e Node)> {
        let sent = self.compose(ready, "made-before").ok()?;
        let model = self.model;
        let kept = ready.state.kept.as_deref().unwrap_or_default();
        let mut found: Option<(&'w Call<'d>, &'e Node)> = None;
        for exchange in kept {
            let Some(maker) = model.call(&exchange.sent.operation) else {
                continue;
            };
            let record = record_of(maker, exchange);
            let key = own_key(model, maker).and_then(|key| record?.get(key));
            let (Some(record), Some(key)) = (record, key) else {
                continue;
            };
            match (&found, maker.role) {
                (_, Role::Create) if names_key(call, &sent, key) => found = Some((maker, record)),
                // A later account of the same record.
                (Some((maker, known)), Role::Change | Role::Read) => {
                    let own = own_key(model, maker).and_then(|key| known.get(key));
                    if own.is_some_and(|own| own.same_value(key)) {
                        found = Some((maker, record));
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Lets time pass on the server, where that is what a law is about.
    pub(crate) async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    /// The request of a call. The tag decides its natural keys.
    ///
    /// # Errors
    /// A value that it needs is not there.
    pub(crate) fn compose(&self, ready: &Ready<'_, 'd>, tag: &str) -> Result<Sent, String> {
        self.compose_step(ready, &ready.call, tag)
    }

    /// The request of another step in the place of the call.
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
        self.runner.compose(step, &scope, &mut fresh)
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

    /// Sends a request.
    pub(crate) async fn send(&mut self, mut sent: Sent) -> Exchange {
        sent.case.clone_from(&self.current);
        self.runner.send(sent).await
    }

    /// Sends requests at once.
    pub(crate) async fn send_together(&mut self, mut all: Vec<Sent>) -> Vec<Exchange> {
        for sent in &mut all {
            sent.case.clone_from(&self.current);
        }
        self.runner.send_together(all).await
    }

    /// Puts another JSON value into a request.
    pub(crate) fn put_json(&self, sent: &mut Sent, step: &Step<'d>, json: Node) {
        let schema = step
            .request
            .body
            .as_ref()
            .and_then(|own| own.schema.as_ref());
        sent.put_json(self.model.document, schema, json);
    }

    /// Judges an answer against a documented response of an operation, its example included.
    pub(crate) fn judge(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        response: &Response<'d>,
        exchange: &Exchange,
    ) {
        self.judge_as(draft, call, expected(call, response), exchange);
    }

    /// Judges an answer against the schema of a documented response: its examples may be of
    /// another cause than the one at hand.
    pub(crate) fn judge_form(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        response: &Response<'d>,
        exchange: &Exchange,
    ) {
        let mut expected = expected(call, response);
        expected.example = None;
        self.judge_as(draft, call, expected, exchange);
    }

    fn judge_as(
        &self,
        draft: &mut Draft,
        call: &Call<'d>,
        expected: Expected<'d>,
        exchange: &Exchange,
    ) {
        let mut step = plain_step(call, no_request());
        step.expected = expected;
        let inputs = BTreeMap::new();
        let state = State::new(&inputs, Fresh::new(0, ""));
        let scope = scope(&state.values, Some(exchange));
        let judge = self.runner.judge;
        let found = judge.judge(&step, exchange, &scope, &History::default());
        self.add(draft, found, &exchange.sent);
    }

    /// Notes that a documented status was answered.
    pub(crate) fn reach(&mut self, call: &Call<'d>, status: u16, case: &str) {
        let cases = self
            .reached
            .entry((call.operation.label(), status))
            .or_default();
        if !cases.iter().any(|own| own == case) {
            cases.push(case.to_owned());
        }
    }

    /// The documented statuses that laws have reached, and the cases that did.
    pub(crate) fn into_reached(self) -> BTreeMap<(String, u16), Vec<String>> {
        self.reached
    }

    /// Calls a reader for a record: its path parameters are taken from the record, else from the
    /// request that the record came with.
    ///
    /// # Errors
    /// A parameter has no value in the record.
    pub(crate) async fn read(
        &mut self,
        reader: &Call<'d>,
        record: &Node,
        with: &Sent,
    ) -> Result<Exchange, String> {
        let sent = self.compose_read(reader, record, with, &[])?;
        Ok(self.send(sent).await)
    }

    /// The request of a reader or a list, for a record, with query arguments.
    ///
    /// # Errors
    /// A parameter has no value in the record.
    pub(crate) fn compose_read(
        &self,
        reader: &Call<'d>,
        record: &Node,
        with: &Sent,
        query: &[(&str, Node)],
    ) -> Result<Sent, String> {
        let contract = self.contract();
        let mut arguments = Vec::new();
        for parameter in request::parameters(&reader.operation, self.selection) {
            let asked = query.iter().find(|(name, _)| *name == parameter.name);
            let value = match (parameter.location, asked) {
                (Location::Query, Some((_, value))) => Some(ArgumentValue::Example(value.clone())),
                (Location::Path, _) => {
                    let bound = bound(reader, parameter.name, record, with);
                    let missing =
                        || format!("the record has no `{}` to be read by", parameter.name);
                    Some(ArgumentValue::Example(bound.ok_or_else(missing)?))
                }
                // What the record was made for is told again, where that travels in a header.
                (Location::Header, _) if told_again(parameter.name, with) => {
                    let text = with.header(parameter.name).unwrap_or_default();
                    Some(ArgumentValue::Example(value::string(text)))
                }
                _ if parameter.required() || parameter.name.eq_ignore_ascii_case("request-id") => {
                    request::argument_value(contract, &parameter, None)
                }
                _ => None,
            };
            if let Some(value) = value {
                let mut argument = request::argument(contract, &parameter, value);
                argument.natural_key = false;
                arguments.push(argument);
            }
        }
        let mut wanted = no_request();
        wanted.arguments = arguments;
        let step = plain_step(reader, wanted);
        let inputs = BTreeMap::new();
        let state = State::new(&inputs, Fresh::new(0, ""));
        let mut fresh = Fresh::new(
            self.runner.wire.seed,
            &format!("read#{}", self.runner.requests),
        );
        self.runner
            .compose(&step, &scope(&state.values, None), &mut fresh)
    }

    /// The readers that can read a record.
    pub(crate) fn readers_for(
        &self,
        call: &Call<'d>,
        record: &Node,
        with: &Sent,
    ) -> Vec<&'w Call<'d>> {
        let Some(kind) = call.record() else {
            return Vec::new();
        };
        let model = self.model;
        let mut readers = model.readers(kind);
        readers.retain(|reader| {
            !reader.path_parameters().is_empty() && can_address(reader, record, with)
        });
        model::nearest(call, &mut readers);
        readers
    }

    /// A value of a record as it may be shown.
    pub(crate) fn shown(&self, call: &Call<'d>, pointer: &Pointer, node: Option<&Node>) -> String {
        let Some(mut node) = node.cloned() else {
            return "absent".to_owned();
        };
        let document = self.model.document;
        let schema = call.record().map(|own| &own.schema);
        let mut shape = Shape::of(document, schema);
        for segment in pointer.segments() {
            let is_index = segment.bytes().all(|byte| byte.is_ascii_digit());
            shape = if is_index && shape.type_name() == Some("array") {
                shape.items(document)
            } else {
                shape.property(document, segment)
            };
        }
        compose::conceal(document, &mut node, &shape, &mut Vec::new());
        value::excerpt(&node.to_json())
    }

    /// The names of the headers that carry credentials.
    pub(crate) fn credentials(&self) -> &[String] {
        &self.runner.wire.target.credentials
    }

    /// Properties of a kind of record that may differ from one reading to the next.
    pub(crate) fn volatile(&self, call: &Call<'d>) -> BTreeSet<String> {
        let name = call
            .record()
            .map(|own| own.name.clone())
            .unwrap_or_default();
        let of = |schema: &str| names::words(schema).join(" ") == name;
        let told = &self.model.behaviour.volatile;
        let told = told.iter().filter(|own| of(&own.schema.text));
        told.map(|own| own.property.text.clone()).collect()
    }
}

fn no_request<'d>() -> Request<'d> {
    Request {
        arguments: Vec::new(),
        body: None,
        replacements: Vec::new(),
        spoil: None,
    }
}

fn plain_step<'d>(call: &Call<'d>, request: Request<'d>) -> Step<'d> {
    let operation = call.operation.label();
    Step {
        id: "call".to_owned(),
        name: CaseName {
            id: operation.clone(),
            area: area(&call.operation),
            operation,
        },
        reported: false,
        blocked: None,
        operation: call.operation.clone(),
        request,
        expected: Expected::default(),
        flow: Flow::default(),
    }
}

/// What is documented for a response: its media type and first example.
fn expected<'d>(call: &Call<'d>, response: &Response<'d>) -> Expected<'d> {
    let answers = documented::answers(&call.operation);
    let of = |own: &documented::Answer<'d>| own.response.status == response.status;
    let answer = answers.into_iter().find(of);
    let example = answer.as_ref().and_then(|own| own.example.as_ref());
    Expected {
        // Another record's success has other values; its shape is in its schema.
        example: example
            .filter(|_| !is_success(response.status))
            .map(|own| own.value.node),
        media: answer.as_ref().and_then(|own| own.media.clone()),
        response: Some(response.clone()),
        ..Expected::default()
    }
}
