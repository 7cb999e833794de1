//! Recipe: the steps that make an operation succeed, without a hand-written scenario.
//!
//! A recipe is a script whose last step is the call. The steps before it create the records that the call needs.
//! Pure.

mod binding;
mod change;
mod choice;
pub(crate) mod equal;
mod existing;
mod forms;
mod from_plans;
mod growth;
mod ingredients;
mod listed;
mod plan;
mod plans;
mod sent_keys;
mod shown;
mod typed;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::Pointer;
use openapi_document::view::{Location, Response};

use crate::case::{ArgumentValue, Script, Step};
use crate::collect::Selection;
use crate::collect::request;
use crate::contract::Contract;
use crate::expression::{Expression, Template};
use crate::model::{Call, Model, Role};
use growth::Grower;

/// At most this many recipes are tried for one operation.
const MOST: usize = 54;

/// Steps that may lead to a success of an operation.
#[derive(Debug, Clone)]
pub struct Recipe<'d> {
    /// The steps; the last one is the call.
    pub script: Script<'d>,
    /// The name of the example that the call sends. `None` without a named example.
    pub example: Option<&'d str>,
    /// The operation that creates the record of the call.
    pub creator: Option<String>,
    /// Changes of the creator's parent record before the creation.
    pub before_creator: Vec<String>,
    /// Changes of the call's record before the call, in order.
    pub changes: Vec<String>,
    /// Whether requests name records that their examples do not name.
    pub names_more: bool,
    /// The operation whose records are not created: the recipe uses those that the examples name.
    pub based_on: Option<String>,
    /// The part of the call's path whose records are existing ones, taken from lists.
    pub existing: Option<String>,
    /// How much of a body the call sends.
    pub size: BodySize,
    /// Whether it starts with the recipe that created the record successfully.
    pub is_onward: bool,
    /// Whether the call is sent with another of its examples first: a withdrawal needs a deposit.
    pub is_after_own: bool,
}

/// How much of a body a call sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodySize {
    /// An example, or a generated body with all properties.
    Whole,
    /// A generated body with the required properties only.
    Required,
    /// An empty body for a call that documents none, so that the request has a content type.
    Empty,
}

/// The recipes of all operations; each list is computed on first use.
#[derive(Debug)]
pub struct Recipes<'r, 'd> {
    contract: &'r Contract<'d>,
    selection: &'r Selection,
    model: &'r Model<'d>,
    of: BTreeMap<String, Candidates<'d>>,
}

/// The recipes of one operation.
#[derive(Debug)]
struct Candidates<'d> {
    of_scenarios: Vec<Recipe<'d>>,
    /// Those of scenarios, then the generated ones.
    all: OnceCell<Vec<Recipe<'d>>>,
    /// Those that continue the recipe which created the record.
    onward: OnceCell<Vec<Recipe<'d>>>,
}

impl<'d> Recipe<'d> {
    /// The call, and the steps before it.
    pub fn split(&self) -> Option<(&Step<'d>, &[Step<'d>])> {
        self.script.steps.split_last()
    }
}

impl<'r, 'd> Recipes<'r, 'd> {
    /// Prepares the recipes of all operations. Scenarios come first, then recipes derived from names, then the
    /// examples unchanged.
    pub fn new(
        contract: &'r Contract<'d>,
        selection: &'r Selection,
        model: &'r Model<'d>,
        scripts: &[Script<'d>],
    ) -> Self {
        let recipes = |call: &Call<'d>| {
            let label = call.operation.label();
            let of_scenarios = of_scenarios(scripts, &label);
            let recipes = Candidates {
                of_scenarios,
                all: OnceCell::new(),
                onward: OnceCell::new(),
            };
            (label, recipes)
        };
        Self {
            contract,
            selection,
            model,
            of: model.calls.iter().map(recipes).collect(),
        }
    }

    /// The recipes of an operation, the most promising first.
    pub fn for_operation(&self, operation: &str) -> &[Recipe<'d>] {
        let Some(recipes) = self.of.get(operation) else {
            return &[];
        };
        recipes.all.get_or_init(|| {
            let call = self.model.call(operation);
            let grown = call.map(|call| self.grower().recipes(call));
            let mut all = recipes.of_scenarios.clone();
            all.extend(grown.unwrap_or_default());
            all.truncate(MOST);
            all
        })
    }

    /// The labels of the operations that create what a call needs: the record of its path, then those that its body
    /// names.
    pub fn creators(&self, call: &Call<'d>) -> Vec<String> {
        let grower = self.grower();
        let all = grower.creators(call).into_iter();
        all.map(|creator| creator.operation.label()).collect()
    }

    /// The creators of a call, their creators, and so on.
    pub fn origins(&self, call: &Call<'d>) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut open = self.creators(call);
        while let Some(label) = open.pop() {
            let creator = self.model.call(&label);
            if let Some(creator) = creator.filter(|_| found.insert(label)) {
                open.extend(self.creators(creator));
            }
        }
        found
    }

    /// The recipes of an operation that continue a recipe of the record's creator which succeeded.
    pub fn onward(&self, operation: &str, creator: &Recipe<'d>) -> &[Recipe<'d>] {
        let Some(recipes) = self.of.get(operation) else {
            return &[];
        };
        recipes.onward.get_or_init(|| {
            let call = self.model.call(operation);
            call.map_or_else(Vec::new, |call| self.grower().onward(call, creator))
        })
    }

    /// The recipes with the same steps before the call as `candidate`, but another example of the call.
    pub fn beside(&self, operation: &str, candidate: &Recipe<'d>) -> Vec<&Recipe<'d>> {
        let onward = self.of.get(operation).and_then(|item| item.onward.get());
        let before = |recipe: &Recipe<'d>| {
            let steps = recipe.split().map(|pair| pair.1).unwrap_or_default();
            let labels = steps.iter().map(|step| step.name.operation.clone());
            labels.collect::<Vec<_>>()
        };
        let all = onward.map(Vec::as_slice).unwrap_or_default().iter();
        let all = all.filter(|recipe| candidate.is_onward && recipe.example != candidate.example);
        all.filter(|item| before(item) == before(candidate))
            .collect()
    }

    /// A recipe by its index in [`Self::for_operation`], followed by the continuing ones.
    pub fn nth(&self, operation: &str, place: usize) -> Option<&Recipe<'d>> {
        let all = self.for_operation(operation);
        let onward = || self.of.get(operation)?.onward.get();
        all.get(place)
            .or_else(|| onward()?.get(place.checked_sub(all.len())?))
    }

    fn grower(&self) -> Grower<'_, 'd> {
        Grower {
            contract: self.contract,
            selection: self.selection,
            model: self.model,
        }
    }

    /// Whether an operation can be called only after a wait, as in its first scenario.
    pub fn takes_time(&self, operation: &str) -> bool {
        // Only scenarios wait.
        let recipes = self.of.get(operation);
        let first = recipes.and_then(|item| item.of_scenarios.first());
        first.is_some_and(|recipe| {
            recipe
                .script
                .steps
                .iter()
                .any(|step| step.flow.until.is_some())
        })
    }

    /// The recipes that replace a script of one step: they first create the records that its example only names.
    pub fn instead_of(&self, script: &Script<'d>) -> Vec<Recipe<'d>> {
        let [step] = &script.steps[..] else {
            return Vec::new();
        };
        let spoil = step.request.spoil;
        let is_success = |response: &Response<'d>| response.status.is_success();
        if spoil.is_none() && !step.expected.response.as_ref().is_some_and(is_success) {
            return Vec::new();
        }
        let named = |key: &str| script.name.rsplit('/').next() == Some(key);
        let recipes = self.for_operation(&step.name.operation).iter();
        let requested: BTreeSet<&str> = recipes
            .clone()
            .filter_map(|recipe| recipe.example)
            .collect();
        let is_only = requested.len() == 1 && !has_choice(step);
        // If the answer's name matches no request, the request with an equal body is used.
        let is_called = requested.iter().any(|item| named(item));
        let goes_with = |recipe: &&Recipe<'d>| {
            let is_sent = || !is_called && sends_alike(recipe, step);
            let is_named =
                spoil.is_some() || is_only || recipe.example.is_none_or(named) || is_sent();
            let is_standing = recipe.based_on.is_some() && recipe.existing.is_none();
            recipe.script.steps.len() > 1 && is_named && !recipe.names_more && !is_standing
        };
        let mut recipes: Vec<Recipe<'d>> = recipes.filter(goes_with).cloned().collect();
        for recipe in &mut recipes {
            if let Some(call) = recipe.script.steps.last_mut() {
                call.request.spoil = spoil;
            }
        }
        recipes
    }

    /// The recipes that replace a script which reads a list: they first create a record for it.
    pub fn with_records(&self, script: &Script<'d>) -> Vec<Recipe<'d>> {
        let [step] = &script.steps[..] else {
            return Vec::new();
        };
        let call = self.model.call(&step.name.operation);
        let list = call.filter(|call| call.role == Role::List);
        let Some(record) = list.and_then(|call| call.record()) else {
            return Vec::new();
        };
        let creates = |call: &&Call<'d>| call.record().is_some_and(|kind| record.describes(kind));
        let creators = self.model.of(Role::Create).filter(creates);
        let recipes = creators.flat_map(|call| self.for_operation(&call.operation.label()));
        let recipes = recipes.filter(|recipe| !recipe.names_more && recipe.based_on.is_none());
        let list = |recipe: &Recipe<'d>| {
            let created = recipe.script.steps.last()?;
            let mut step = step.clone();
            for argument in &mut step.request.arguments {
                // A record that is created below another one is listed below it.
                let mut of_creator = created.request.arguments.iter();
                let same = of_creator
                    .find(|other| other.location == Location::Path && other.name == argument.name);
                if let Some(same) = same.filter(|_| argument.location == Location::Path) {
                    argument.value = same.value.clone();
                }
            }
            // A path parameter of the list may be a property of the created record: the customer of an invoice.
            let named = named_by(self.model, created, &step);
            let mut recipe = recipe.clone();
            for (parameter, at) in named {
                let created = recipe.script.steps.last_mut()?;
                let output = (parameter.clone(), Expression::ResponseBody(at));
                let value = Expression::StepOutput {
                    step: created.id.clone(),
                    name: parameter.clone(),
                };
                created.flow.outputs.push(output);
                let mut all = step.request.arguments.iter_mut();
                if let Some(argument) = all.find(|argument| argument.name == parameter) {
                    argument.value = ArgumentValue::Scenario(Template::Whole(value));
                }
            }
            recipe.script.steps.push(step);
            Some(recipe)
        };
        recipes.filter_map(list).collect()
    }
}

/// Whether the last step of a recipe has the same body as another step.
fn sends_alike(recipe: &Recipe<'_>, step: &Step<'_>) -> bool {
    let body = |step: &Step<'_>| step.request.body.as_ref()?.value.plain().cloned();
    let item = recipe.script.steps.last().and_then(body);
    item.zip(body(step))
        .is_some_and(|(one, other)| one.same_value(&other))
}

/// The path parameters of a list that the creating request lacks, and that its documented answer has as properties of
/// the record; each with the pointer to it.
fn named_by<'d>(model: &Model<'d>, created: &Step<'d>, list: &Step<'d>) -> Vec<(String, Pointer)> {
    let kind = model
        .call(&created.name.operation)
        .and_then(Call::record)
        .map(|record| record.at.clone());
    let (Some(at), Some(shown)) = (kind, created.expected.example) else {
        return Vec::new();
    };
    let in_path = |step: &Step<'d>| -> Vec<String> {
        let all = step.request.arguments.iter();
        let arguments = all.filter(|parameter| parameter.location == Location::Path);
        arguments.map(|argument| argument.name.clone()).collect()
    };
    let requested = in_path(created);
    let mut all = in_path(list);
    all.retain(|name| !requested.contains(name));
    let place = |name: String| {
        let record = shown.at(&at)?;
        record.get(&name).filter(|node| node.as_str().is_some())?;
        let at = at.join(name.as_str());
        Some((name, at))
    };
    all.into_iter().filter_map(place).collect()
}

/// Whether a success has several examples, each of which may belong to another request.
fn has_choice(step: &Step<'_>) -> bool {
    let success = step.expected.response.as_ref();
    let mut content = success.map_or_else(Vec::new, Response::content).into_iter();
    content.any(|media| media.examples().len() > 1)
}

/// The recipes that lead to the refusal which a script's example is answered with.
pub fn to_refusal<'d>(
    contract: &Contract<'d>,
    selection: &Selection,
    model: &Model<'d>,
    script: &Script<'d>,
) -> Vec<Recipe<'d>> {
    let [step] = &script.steps[..] else {
        return Vec::new();
    };
    let Some(call) = model.call(&step.name.operation) else {
        return Vec::new();
    };
    let grower = Grower {
        contract,
        selection,
        model,
    };
    let keys = request::keys(&call.operation).into_iter();
    let mut keys = keys.filter(|key| script.name.rsplit('/').next() == Some(key));
    let recipes = keys.next().map(|key| grower.ways_to_refusal(call, key));
    recipes.unwrap_or_default()
}

/// The shortest beginnings of scenarios that end with a success of an operation, at most three.
fn of_scenarios<'d>(scripts: &[Script<'d>], operation: &str) -> Vec<Recipe<'d>> {
    let mut recipes: Vec<Recipe<'d>> = Vec::new();
    for script in scripts {
        let is_call = |step: &Step<'d>| {
            let expected = step.expected.response.as_ref();
            step.name.operation == operation
                && step.flow.spot.is_some()
                && step.flow.parallel.is_none()
                && !step.flow.rejection
                && expected.is_some_and(|response| response.status.is_success())
        };
        let Some(at) = script.steps.iter().position(is_call) else {
            continue;
        };
        let mut script = script.clone();
        script.steps.truncate(at + 1);
        recipes.push(Recipe {
            script,
            example: None,
            creator: None,
            before_creator: Vec::new(),
            changes: Vec::new(),
            names_more: false,
            based_on: None,
            existing: None,
            size: BodySize::Whole,
            is_onward: false,
            is_after_own: false,
        });
    }
    recipes.sort_by_key(|recipe| recipe.script.steps.len());
    recipes.truncate(3);
    recipes
}
