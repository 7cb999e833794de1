//! Scenario: a workflow as written in Arazzo 1.0.1 with the `x-` fields of this runner.

use std::time::Duration;

use openapi_document::{Level, Node, Pointer};

use crate::condition::Condition;
use crate::expression::{Expression, Template};
use crate::spot::Spot;

pub mod reader;

/// One workflow.
#[derive(Debug)]
pub struct Scenario {
    /// The `workflowId`.
    pub id: String,
    /// The inputs: name and default.
    pub inputs: Vec<(String, Option<Node>)>,
    /// The steps in order.
    pub steps: Vec<ScenarioStep>,
}

/// One step of a workflow.
#[derive(Debug)]
pub struct ScenarioStep {
    /// The `stepId`.
    pub id: String,
    /// The place in the file.
    pub spot: Spot,
    /// The operation that the step calls.
    pub operation_id: String,
    /// `x-example`: the key of the pair of examples that the step sends and compares.
    pub example: Option<String>,
    /// `parameters`
    pub parameters: Vec<ScenarioParameter>,
    /// `requestBody.payload`
    pub payload: Option<Template>,
    /// `requestBody.replacements`
    pub replacements: Vec<(Pointer, Template)>,
    /// `successCriteria`
    pub criteria: Vec<Criterion>,
    /// `outputs`
    pub outputs: Vec<(String, Expression)>,
    /// `x-final`: the state is final, so enumerations and flags are compared.
    pub is_final: bool,
    /// `x-rejection`: the server must refuse the request.
    pub rejection: bool,
    /// `x-until`: the step is repeated until its criteria hold.
    pub until: Option<Until>,
    /// `x-parallel`: copies of the step are sent at the same time.
    pub parallel: Option<Parallel>,
    /// `x-provenance`: the level of the step's criteria.
    pub level: Option<Level>,
}

/// A parameter of a step.
#[derive(Debug)]
pub struct ScenarioParameter {
    /// The name.
    pub name: String,
    /// `in`. `None` when it is absent.
    pub location: Option<String>,
    /// The value.
    pub value: Template,
}

/// A condition with its place.
#[derive(Debug, Clone)]
pub struct Criterion {
    /// The condition.
    pub condition: Condition,
    /// The text of the condition.
    pub text: String,
    /// The place in the file.
    pub spot: Spot,
}

/// `x-until`
#[derive(Debug, Clone)]
pub struct Until {
    /// The time after which the step has failed.
    pub deadline: Duration,
    /// The pause between two requests.
    pub interval: Duration,
    /// The conditions that must hold.
    pub criteria: Vec<Criterion>,
}

/// `x-parallel`
#[derive(Debug, Clone)]
pub struct Parallel {
    /// The number of copies.
    pub count: usize,
    /// The number of answers that may meet a condition.
    pub limit: Option<Limit>,
    /// Whether each copy has different natural keys; otherwise they share them.
    pub key_names: bool,
}

/// The number of answers that may meet a condition.
#[derive(Debug, Clone)]
pub struct Limit {
    /// The condition.
    pub criterion: Criterion,
    /// The number of answers that may meet it.
    pub count: usize,
    /// Whether a smaller number is wrong too.
    pub exactly: bool,
}

impl ScenarioStep {
    /// The ids of earlier steps whose outputs the step uses.
    pub fn needs(&self) -> Vec<&str> {
        let until = self.until.iter().flat_map(|until| &until.criteria);
        let limit = self
            .parallel
            .iter()
            .filter_map(|parallel| parallel.limit.as_ref());
        let criteria = self
            .criteria
            .iter()
            .chain(until)
            .chain(limit.map(|limit| &limit.criterion));
        let templates = self.parameters.iter().map(|parameter| &parameter.value);
        let templates = templates.chain(&self.payload);
        let templates = templates.chain(self.replacements.iter().map(|(_, template)| template));
        let mut steps: Vec<&str> = templates.flat_map(Template::steps).collect();
        steps.extend(criteria.flat_map(|criterion| criterion.condition.steps()));
        steps.extend(
            self.outputs
                .iter()
                .filter_map(|(_, expression)| expression.step()),
        );
        steps.sort_unstable();
        steps.dedup();
        steps
    }
}
