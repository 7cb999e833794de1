//! Scenarios as they are written: Arazzo 1.0.1 and the `x-` fields of this runner.

use std::time::Duration;

use openapi_document::{Level, Node, Pointer};

use crate::condition::Condition;
use crate::expression::{Expression, Template};
use crate::spot::Spot;

pub mod reader;

/// One workflow.
#[derive(Debug)]
pub struct Scenario {
    /// Its `workflowId`.
    pub id: String,
    /// Its inputs: name and default.
    pub inputs: Vec<(String, Option<Node>)>,
    /// Its steps in order.
    pub steps: Vec<ScenarioStep>,
}

/// One step of a workflow.
#[derive(Debug)]
pub struct ScenarioStep {
    /// Its `stepId`.
    pub id: String,
    /// Where it stands.
    pub spot: Spot,
    /// The operation it calls.
    pub operation_id: String,
    /// `x-example`: the pair of examples that it sends and is compared with.
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
    /// `x-rejection`: the request must be refused.
    pub rejection: bool,
    /// `x-until`: the step is repeated until its criteria hold.
    pub until: Option<Until>,
    /// `x-parallel`: twins of the step are sent at once.
    pub parallel: Option<Parallel>,
    /// `x-provenance`: how hard the step's criteria are judged.
    pub level: Option<Level>,
}

/// A parameter of a step.
#[derive(Debug)]
pub struct ScenarioParameter {
    /// Its name.
    pub name: String,
    /// `in`, where it is given.
    pub location: Option<String>,
    /// Its value.
    pub value: Template,
}

/// A condition and where it stands.
#[derive(Debug, Clone)]
pub struct Criterion {
    /// The condition.
    pub condition: Condition,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub spot: Spot,
}

/// `x-until`
#[derive(Debug, Clone)]
pub struct Until {
    /// After this long the step has failed.
    pub deadline: Duration,
    /// The pause between two requests.
    pub interval: Duration,
    /// What has to hold.
    pub criteria: Vec<Criterion>,
}

/// `x-parallel`
#[derive(Debug, Clone)]
pub struct Parallel {
    /// How many twins.
    pub count: usize,
    /// How many of the answers may meet a condition.
    pub limit: Option<Limit>,
    /// Whether each twin has natural keys of its own; else they share them.
    pub own_keys: bool,
}

/// How many answers may meet a condition.
#[derive(Debug, Clone)]
pub struct Limit {
    /// The condition.
    pub criterion: Criterion,
    /// How many answers may meet it.
    pub count: usize,
    /// Whether fewer are wrong, too.
    pub exactly: bool,
}

impl ScenarioStep {
    /// The earlier steps it needs values of.
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
