//! What tries may get in each other's way with: records that none of them has made for itself.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use spec::document::{Location, Status};

use super::found::Found;
use crate::case::{Argument, ArgumentValue, BodyValue, Step};
use crate::collect::documented::is_success;
use crate::laws::Laws;
use crate::model::{Call, Model, Role, names};
use crate::recipe::Recipes;
use crate::shape::Shape;
use crate::value;

/// What operations share with others; of each it is found out once.
pub(crate) struct Shared<'s, 'd> {
    model: &'s Model<'d>,
    recipes: &'s Recipes<'s, 'd>,
    of: RefCell<BTreeMap<String, BTreeSet<String>>>,
}

impl<'s, 'd> Shared<'s, 'd> {
    pub(crate) fn new(laws: &'s Laws<'_, 'd>) -> Self {
        Self {
            model: laws.model,
            recipes: &laws.recipes,
            of: RefCell::default(),
        }
    }

    /// What an operation shares, by every way to it that makes what it needs, and by the one that was chosen: of the
    /// others each stands on what everybody else may use.
    pub(crate) fn of(&self, call: &Call<'_>, found: &Found) -> BTreeSet<String> {
        let operation = call.operation.label();
        let chosen = found.choice(&operation);
        let chosen = chosen.get().and_then(|own| own.clone().ok());
        let mut of = self.of.borrow_mut();
        let all = of.entry(operation).or_insert_with_key(|operation| {
            let ways = self.recipes.ways(operation).iter();
            let ways = ways.filter(|own| own.stands_on.is_none());
            let steps = ways.flat_map(|way| &way.script.steps);
            steps.flat_map(|step| shared(self.model, step)).collect()
        });
        let mut all = all.clone();
        let ways = self.recipes.ways(&call.operation.label());
        let stands_on = chosen.and_then(|own| ways.get(own)?.stands_on.clone());
        all.extend(stands_on);
        all
    }
}

/// What the request of a step shares: records that its path names and no step has made, and the record that
/// it makes where an equal request may be answered with the same one.
fn shared(model: &Model<'_>, step: &Step<'_>) -> Vec<String> {
    let arguments = step.request.arguments.iter();
    let mut all: Vec<String> = arguments.filter_map(named).collect();
    all.extend(of_body(model, step));
    let call = model.call(&step.name.operation);
    if let Some(call) =
        call.filter(|own| own.role == Role::Create && may_be_known(model, own, step))
    {
        all.push(call.operation.label());
    }
    all
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

/// What a body names that is named by a path, too, and is made by nothing: who closes a terminal touches its payments.
fn of_body(model: &Model<'_>, step: &Step<'_>) -> Vec<String> {
    let body = step.request.body.as_ref();
    let Some(shown) = body.and_then(|own| own.value.plain()) else {
        return Vec::new();
    };
    let is_in_path = |name: &str| {
        model.calls.iter().any(|call| {
            let mut names = call.path_parameters().into_iter();
            names.any(|own| {
                names::same(own, name) && model.creator_for(&call.operation, own).is_none()
            })
        })
    };
    let texts = shown.entries().filter(|own| own.value.as_str().is_some());
    let named = texts.filter(|own| is_in_path(&own.key));
    named.map(|own| value::plain(&own.value)).collect()
}

/// Whether nothing promises a new record: no 201, and nothing in the body that is new each time.
fn may_be_known(model: &Model<'_>, call: &Call<'_>, step: &Step<'_>) -> bool {
    let mut responses = call.operation.responses().into_iter();
    let promises = responses.any(|own| is_success(own.status) && own.status == Status::Code(201));
    let shape = Shape::of(model.document, call.body.as_ref());
    let mut names = shape.property_names().into_iter();
    let is_new = names.any(|name| shape.property(model.document, name).flag("x-natural-key"));
    let is_made = step.request.body.as_ref().is_some_and(
        |body| matches!(&body.value, BodyValue::Scenario(template) if !template.steps().is_empty()),
    );
    !promises && !is_new && !is_made && step.request.replacements.is_empty()
}
