//! Converts scenarios to scripts with many steps.

use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use openapi_document::Node;
use openapi_document::view::{Document, Location, Operation, Status};

use super::documented::{Answer, Reached, answers, check_body};
use super::{Selection, area, request};
use crate::case::{
    Argument, ArgumentValue, Body, BodyValue, CaseName, Collection, Expected, Flow, Request,
    Script, Step,
};
use crate::contract::Contract;
use crate::encoding::{self, Encoding};
use crate::level::Verdict;
use crate::scenario::{Scenario, ScenarioStep};
use crate::style::Style;

/// Adds every scenario that has a step in scope. Returns the documented examples that the steps
/// cover.
pub fn collect<'d>(
    contract: &Contract<'d>,
    scenarios: Vec<Scenario>,
    selection: &Selection,
    collection: &mut Collection<'d>,
) -> Reached {
    let mut reached = Reached::new();
    let operations = operations(contract.document);
    for scenario in scenarios {
        let in_scope = |step: &ScenarioStep| {
            let operation = operations.get(step.operation_id.as_str());
            operation.is_none_or(|called| selection.covers(&called.operation))
        };
        if !scenario.steps.iter().any(in_scope) {
            continue;
        }
        let collector = Collector {
            contract,
            operations: &operations,
            selection,
            scenario: scenario.id.clone(),
        };
        collector.scenario(scenario, collection, &mut reached);
    }
    reached
}

/// The operations by their ids. The first one wins when an id is not unique.
fn operations(document: &Document) -> Operations<'_> {
    let mut operations = Operations::new();
    for operation in document.operations() {
        if let Some(id) = operation.id() {
            let answers = OnceCell::new();
            let called = Called { operation, answers };
            operations.entry(id).or_insert(called);
        }
    }
    operations
}

type Operations<'d> = HashMap<&'d str, Called<'d>>;

/// An operation with its documented answers, computed when a step first calls it.
struct Called<'d> {
    operation: Operation<'d>,
    answers: OnceCell<Vec<Answer<'d>>>,
}

impl<'d> Called<'d> {
    fn answers(&self) -> &[Answer<'d>] {
        self.answers.get_or_init(|| answers(&self.operation))
    }
}

struct Collector<'c, 'd> {
    contract: &'c Contract<'d>,
    operations: &'c Operations<'d>,
    selection: &'c Selection,
    scenario: String,
}

impl<'d> Collector<'_, 'd> {
    fn scenario(&self, scenario: Scenario, collection: &mut Collection<'d>, reached: &mut Reached) {
        let (inputs, missing) = self.inputs(&scenario.inputs);
        let mut script = Script {
            name: scenario.id,
            area: "untagged".to_owned(),
            inputs,
            steps: Vec::new(),
        };
        for step in scenario.steps {
            let mut name = CaseName {
                id: format!("{}/{}", script.name, step.id),
                operation: step.operation_id.clone(),
                area: "untagged".to_owned(),
            };
            let Some(called) = self.operations.get(step.operation_id.as_str()) else {
                let reason = format!(
                    "{} calls the operation `{}`, which the document does not have",
                    step.spot, step.operation_id
                );
                collection.settle(name, Verdict::Error, reason);
                continue;
            };
            name.area = area(&called.operation);
            let reported = self.selection.covers(&called.operation);
            if script.steps.is_empty() {
                script.area.clone_from(&name.area);
            }
            match self.step(step, &name, called, reported) {
                Ok((mut step, answer)) => {
                    if let Some(missing) = &missing {
                        step.blocked = Some(missing.clone());
                    }
                    if let Some((status, key)) = answer {
                        let place = (name.operation, status, key);
                        reached.entry(place).or_default().push(name.id);
                    }
                    script.steps.push(step);
                }
                Err(reason) => collection.settle(name, Verdict::Error, reason),
            }
        }
        collection.scripts.push(script);
    }

    /// The scenario's inputs, and the reason for a skip when one has no value.
    fn inputs(
        &self,
        declared: &[(String, Option<Node>)],
    ) -> (BTreeMap<String, Node>, Option<String>) {
        let configured = self.selection.scenario_inputs.get(&self.scenario);
        let mut missing = None;
        let mut inputs = BTreeMap::new();
        for (name, default) in declared {
            let given = configured
                .and_then(|node| node.get(name))
                .or(self.selection.inputs.get(name));
            match given.or(default.as_ref()) {
                Some(value) => {
                    inputs.insert(name.clone(), value.clone());
                }
                None => {
                    missing.get_or_insert_with(|| {
                        format!("the input `{name}` has no value: set `inputs.{name}` in conformance.toml")
                    });
                }
            }
        }
        (inputs, missing)
    }

    fn step(
        &self,
        step: ScenarioStep,
        name: &CaseName,
        called: &Called<'d>,
        reported: bool,
    ) -> Result<(Step<'d>, Option<(String, String)>), String> {
        let operation = called.operation.clone();
        let answer = answer(&step, called)?;
        let request = self.request(&step, &operation)?;
        let reached = answer
            .as_ref()
            .map(|answer| (answer.response.status.to_string(), answer.key().to_owned()));
        let expects_success = answer
            .as_ref()
            .is_some_and(|answer| matches!(answer.response.status, Status::Code(200..=299)));
        if let (true, Some(body)) = (expects_success, &request.body) {
            check_body(self.contract, body)?;
        }
        let mut expected = match answer {
            Some(answer) => answer.expected(&request),
            None => Expected::default(),
        };
        expected.path_examples = request::path_examples(&operation, step.example.as_deref());
        let needs = step.needs().into_iter().map(str::to_owned).collect();
        Ok((
            Step {
                id: step.id,
                name: name.clone(),
                reported,
                blocked: None,
                operation,
                request,
                expected,
                flow: Flow {
                    key_names: false,
                    spot: Some(step.spot),
                    level: step.level,
                    criteria: step.criteria,
                    outputs: step.outputs,
                    is_final: step.is_final,
                    rejection: step.rejection,
                    until: step.until,
                    parallel: step.parallel,
                    needs,
                },
            },
            reached,
        ))
    }

    fn request(
        &self,
        step: &ScenarioStep,
        operation: &Operation<'d>,
    ) -> Result<Request<'d>, String> {
        let key = step.example.as_deref();
        let mut arguments: Vec<Argument<'d>> = Vec::new();
        for parameter in &step.parameters {
            arguments.push(argument(self.contract, step, parameter, operation)?);
        }
        for parameter in request::parameters(operation, self.selection) {
            let given = |argument: &Argument<'d>| {
                argument.name == parameter.name && argument.location == parameter.location
            };
            if arguments.iter().any(given) {
                continue;
            }
            if let Some(value) = request::argument_value(self.contract, &parameter, key) {
                arguments.push(request::argument(self.contract, &parameter, value));
            } else if parameter.required() {
                return Err(format!(
                    "{} gives no value to the required parameter `{}`",
                    step.spot, parameter.name
                ));
            }
        }
        let body = match &step.payload {
            Some(payload) => {
                let content = operation.request_body().map(|body| body.content());
                let media = content.and_then(encoding::preferred);
                let document = self.contract.document;
                let encoding = media.as_ref().map(|media| Encoding::of(document, media));
                Some(Body {
                    media_type: media
                        .as_ref()
                        .map_or("application/json", |named| named.name)
                        .to_owned(),
                    encoding: encoding.unwrap_or_default(),
                    schema: media.and_then(|media| media.schema()),
                    value: BodyValue::Scenario(payload.clone()),
                    conflicts: Arc::default(),
                })
            }
            None => request::body(self.contract, operation, key)
                .map_err(|reason| format!("{}: {reason}", step.spot))?,
        };
        if body.is_none() && !step.replacements.is_empty() {
            return Err(format!("{} replaces parts of a missing body", step.spot));
        }
        let shown = body.as_ref().and_then(|body| body.value.plain());
        let shown = shown.or_else(|| request::shown_body(operation, Some(key?)));
        Ok(Request {
            documented: request::documented(self.contract, operation, key, shown),
            arguments,
            body,
            replacements: step.replacements.clone(),
            spoil: None,
        })
    }
}

/// The documented answer for the step's `x-example`. When several statuses have the key, the one
/// that the step's criteria expect, else the first. A step without `x-example` gets the answer
/// without a body whose status it expects.
fn answer<'d>(step: &ScenarioStep, called: &Called<'d>) -> Result<Option<Answer<'d>>, String> {
    let all = called.answers();
    let is_expected = |answer: &&Answer<'d>| match answer.response.status {
        Status::Code(code) => step
            .criteria
            .iter()
            .any(|criterion| criterion.condition.asks_for_status(code)),
        _ => false,
    };
    let Some(key) = &step.example else {
        let mut bodiless = all.iter().filter(|answer| answer.media.is_none());
        return Ok(bodiless.find(is_expected).cloned());
    };
    let candidates = || all.iter().filter(|answer| answer.key() == key);
    match candidates()
        .find(is_expected)
        .or_else(|| candidates().next())
    {
        Some(answer) => Ok(Some(answer.clone())),
        None if request::keys(&called.operation).contains(&key.as_str()) => Ok(None),
        None => Err(format!(
            "{} names the example `{key}`, which `{}` does not have",
            step.spot, step.operation_id
        )),
    }
}

fn argument<'d>(
    contract: &Contract<'d>,
    step: &ScenarioStep,
    given: &crate::scenario::ScenarioParameter,
    operation: &Operation<'d>,
) -> Result<Argument<'d>, String> {
    let value = ArgumentValue::Scenario(given.value.clone());
    let requested = given.location.as_deref().and_then(Location::parse);
    let parameters = operation.parameters();
    let declared = parameters.iter().find(|parameter| {
        parameter.name == given.name
            && requested.is_none_or(|requested| parameter.location == requested)
    });
    match (declared, requested) {
        (Some(parameter), _) => Ok(request::argument(contract, parameter, value)),
        (None, Some(location @ (Location::Header | Location::Query))) => Ok(Argument {
            each_its_own: false,
            name: given.name.clone(),
            location,
            schema: None,
            natural_key: false,
            sensitive: false,
            style: Style {
                name: "form".to_owned(),
                explode: true,
            },
            value,
        }),
        (None, _) => Err(format!(
            "{} has a parameter `{}`, which `{}` does not declare",
            step.spot, given.name, step.operation_id
        )),
    }
}
