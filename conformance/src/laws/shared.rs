//! Shared resources: records that several laws use because none of them created them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use openapi_document::view::{Location, Status};

use crate::case::{Argument, ArgumentValue, BodyValue, Step};
use crate::model::{Call, Model, Role};
use crate::names;
use crate::recipe::Recipes;
use crate::scene::found::Found;
use crate::scene::watch::Watch;
use crate::setting::Setting;
use crate::shape::Shape;
use crate::value;

/// The shared resources of each operation, computed once.
pub(crate) struct Shared<'s, 'd> {
    model: &'s Model<'d>,
    recipes: &'s Recipes<'s, 'd>,
    found: &'s Found,
    watch: &'s dyn Watch<'d>,
    of: RefCell<BTreeMap<String, BTreeSet<String>>>,
    /// The words of path parameters whose records no operation creates.
    unmade: BTreeSet<Vec<String>>,
    /// Whether an operation may answer with an existing record, by its label.
    knowing: RefCell<BTreeMap<String, bool>>,
}

impl<'s, 'd> Shared<'s, 'd> {
    pub(crate) fn new(
        laws: &'s Setting<'_, 'd>,
        found: &'s Found,
        watch: &'s dyn Watch<'d>,
    ) -> Self {
        let model = laws.model;
        let names = model.calls.iter().flat_map(|call| {
            let names = call.path_parameters().into_iter();
            names.filter(|name| model.creator_for(&call.operation, name).is_none())
        });
        Self {
            model,
            found,
            watch,
            recipes: &laws.recipes,
            of: RefCell::default(),
            unmade: names.map(names::words).collect(),
            knowing: RefCell::default(),
        }
    }

    /// The resources of an operation: those of all recipes that create their records, and those of the chosen recipe.
    /// If none is chosen yet and `may_be_any` is set, those of every recipe.
    pub(crate) fn of(&self, call: &Call<'_>, may_be_any: bool) -> BTreeSet<String> {
        let operation = call.operation.label();
        let chosen = self.found.choice(&operation);
        let chosen = chosen.get();
        let mut of = self.of.borrow_mut();
        let all = of.entry(operation).or_insert_with_key(|operation| {
            let recipes = self.recipes.for_operation(operation).iter();
            let recipes = recipes.filter(|recipe| recipe.based_on.is_none());
            let steps = recipes.flat_map(|recipe| &recipe.script.steps);
            steps.flat_map(|step| self.shared(step)).collect()
        });
        let mut all = all.clone();
        let recipes = self.recipes.for_operation(&call.operation.label());
        let may_be = |index: usize| match chosen {
            Some(item) => item.as_ref() == Ok(&index),
            None => may_be_any,
        };
        let recipes = recipes.iter().enumerate();
        let recipes = recipes.filter(|(index, _)| may_be(*index));
        all.extend(recipes.filter_map(|(_, recipe)| recipe.based_on.clone()));
        all
    }

    /// The resources of a step: records of its path that no step creates, and the record that it creates if an equal
    /// request may return the same one.
    fn shared(&self, step: &Step<'d>) -> Vec<String> {
        let arguments = step.request.arguments.iter();
        let mut all: Vec<String> = arguments.filter_map(named).collect();
        all.extend(self.of_body(step));
        all.extend(self.of_list(step));
        all.extend(self.of_gathering(step));
        let operation = &step.name.operation;
        if (!is_new(step) && self.may_know(operation)) || self.is_scarce(operation) {
            all.push(operation.clone());
        }
        all
    }

    /// The creation that fills a list and collects what other operations left: no two laws can fill that list at
    /// once.
    fn of_gathering(&self, step: &Step<'d>) -> Option<String> {
        let list = self.model.call(&step.name.operation);
        let list = list.filter(|call| call.role == Role::List)?;
        let mut creators = self.model.of(Role::Create);
        let fills = |call: &&Call<'_>| call.operation.path == list.operation.path;
        let creator = creators.find(fills)?;
        (!self.model.gathered(creator).is_empty()).then(|| creator.operation.label())
    }

    /// The list from which a step takes a key, unless the list belongs to a record of the recipe.
    fn of_list(&self, step: &Step<'d>) -> Option<String> {
        let operation = &step.name.operation;
        let call = self
            .model
            .call(operation)
            .filter(|call| call.role == Role::List)?;
        let mut arguments = step.request.arguments.iter();
        let is_same = arguments.any(|entry| match &entry.value {
            ArgumentValue::Scenario(template) => !template.steps().is_empty(),
            _ => false,
        });
        let is_taken = !step.flow.outputs.is_empty() && !is_same;
        is_taken.then(|| call.operation.label())
    }

    /// Values of a body that paths also name and no operation creates: closing a terminal affects its payments.
    fn of_body(&self, step: &Step<'d>) -> Vec<String> {
        let body = step.request.body.as_ref();
        let Some(shown) = body.and_then(|entry| entry.value.plain()) else {
            return Vec::new();
        };
        let texts = shown
            .entries()
            .filter(|entry| entry.value.as_str().is_some());
        let named = texts.filter(|entry| self.unmade.contains(&names::words(&entry.key)));
        named.map(|entry| value::plain(&entry.value)).collect()
    }

    /// Whether there can be only a few records of an operation, or whether it collects what others left. Operations
    /// below another record do not count.
    fn is_scarce(&self, operation: &str) -> bool {
        let call = self.model.call(operation);
        let call = call.filter(|call| call.path_parameters().is_empty());
        call.is_some_and(|call| {
            self.watch.is_limited(call) || !self.model.gathered(call).is_empty()
        })
    }

    /// Whether an operation creates records and may answer an equal request with the same one.
    fn may_know(&self, operation: &str) -> bool {
        let mut knowing = self.knowing.borrow_mut();
        if let Some(known) = knowing.get(operation) {
            return *known;
        }
        let call = self.model.call(operation);
        let call = call.filter(|call| call.role == Role::Create);
        let may_know = call.is_some_and(|call| may_be_known(self.model, call));
        knowing.insert(operation.to_owned(), may_know);
        may_know
    }
}

fn named(argument: &Argument<'_>) -> Option<String> {
    if argument.location != Location::Path || argument.natural_key {
        return None;
    }
    match &argument.value {
        ArgumentValue::Example(node) => Some(value::plain(node)),
        ArgumentValue::Scenario(template) if template.steps().is_empty() => {
            Some(argument.name.clone())
        }
        _ => None,
    }
}

/// Whether a step sends another request each time.
fn is_new(step: &Step<'_>) -> bool {
    let is_created = step.request.body.as_ref().is_some_and(
        |body| matches!(&body.value, BodyValue::Scenario(template) if !template.steps().is_empty()),
    );
    is_created || !step.request.replacements.is_empty()
}

/// Whether an operation may return an existing record: it documents no 201, and its body has no natural key.
fn may_be_known(model: &Model<'_>, call: &Call<'_>) -> bool {
    let mut responses = call.operation.responses().into_iter();
    let promises = responses
        .any(|response| response.status.is_success() && response.status == Status::Code(201));
    let shape = Shape::of(model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let has_new = names.any(|name| shape.property(model.document, name).flag("x-natural-key"));
    !promises && !has_new
}
