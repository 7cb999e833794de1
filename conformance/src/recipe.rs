//! Recipe: how an operation is brought to succeed, without a hand-written step where none is there. A
//! script whose last step is the call; the steps before it make what the call needs. Pure.

mod binding;
mod growth;
mod way;

use std::collections::BTreeMap;

use spec::document::{Operation, Status};

use crate::case::{Script, Step};
use crate::collect::Selection;
use crate::collect::documented::is_success;
use crate::contract::Contract;
use crate::model::Model;
use growth::Grower;

/// So many ways to reach an operation are tried at most.
const MOST: usize = 24;

/// A way to a success of an operation.
#[derive(Debug, Clone)]
pub struct Recipe<'d> {
    /// The steps; the last is the call.
    pub script: Script<'d>,
    /// The example of the call, where it has one with a name.
    pub example: Option<&'d str>,
}

/// The ways to every operation.
#[derive(Debug, Default)]
pub struct Recipes<'d> {
    of: BTreeMap<String, Vec<Recipe<'d>>>,
}

impl<'d> Recipe<'d> {
    /// The call, and the steps before it.
    pub fn split(&self) -> Option<(&Step<'d>, &[Step<'d>])> {
        self.script.steps.split_last()
    }
}

impl<'d> Recipes<'d> {
    /// The ways to every operation: what scenarios do, then what names tell, then the examples as
    /// they stand.
    pub fn new(
        contract: &Contract<'d>,
        selection: &Selection,
        model: &Model<'d>,
        scripts: &[Script<'d>],
    ) -> Self {
        let mut recipes = Self::default();
        let grower = Grower {
            contract,
            selection,
            model,
        };
        for call in &model.calls {
            let operation = call.operation.label();
            let mut ways = of_scenarios(scripts, &operation);
            ways.extend(grower.ways(call));
            ways.truncate(MOST);
            recipes.of.insert(operation, ways);
        }
        recipes
    }

    /// The ways to an operation, the most promising first.
    pub fn ways(&self, operation: &str) -> &[Recipe<'d>] {
        self.of.get(operation).map_or(&[], Vec::as_slice)
    }

    /// The way that makes the records first which the one step of a script only names.
    pub fn instead_of(&self, script: &Script<'d>) -> Option<&Recipe<'d>> {
        let [step] = &script.steps[..] else {
            return None;
        };
        let expected = step.expected.response.as_ref()?;
        let goes_with = |own: &&Recipe<'d>| {
            let named = |key: &str| script.name.rsplit('/').next() == Some(key);
            own.script.steps.len() > 1 && own.example.is_none_or(named)
        };
        let ways = self.ways(&step.name.operation).iter();
        ways.filter(|_| is_success(expected.status)).find(goes_with)
    }
}

/// The beginnings of scenarios that end with a success of an operation, the shortest first.
fn of_scenarios<'d>(scripts: &[Script<'d>], operation: &str) -> Vec<Recipe<'d>> {
    let mut ways: Vec<Recipe<'d>> = Vec::new();
    for script in scripts {
        let is_call = |step: &Step<'d>| {
            let expected = step.expected.response.as_ref();
            step.name.operation == operation
                && step.flow.spot.is_some()
                && step.flow.parallel.is_none()
                && !step.flow.rejection
                && expected.is_some_and(|own| is_success(own.status))
        };
        let Some(at) = script.steps.iter().position(is_call) else {
            continue;
        };
        let mut script = script.clone();
        script.steps.truncate(at + 1);
        ways.push(Recipe {
            script,
            example: None,
        });
    }
    ways.sort_by_key(|way| way.script.steps.len());
    ways.truncate(3);
    ways
}

/// Whether an operation answers a status that is documented, exactly.
pub fn documents(operation: &Operation<'_>, code: u16) -> bool {
    let mut responses = operation.responses().into_iter();
    responses.any(|own| own.status == Status::Code(code))
}
