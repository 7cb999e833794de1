//! What tries may get in each other's way with: records that none of them has made for itself.

use std::collections::{BTreeMap, BTreeSet};

use spec::document::{Location, Status};

use crate::case::{Argument, ArgumentValue, BodyValue, Step};
use crate::collect::documented::is_success;
use crate::model::{Call, Model, Role};
use crate::recipe::Recipes;
use crate::shape::Shape;
use crate::value;

/// What an operation shares with others, by operation.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    of: BTreeMap<String, BTreeSet<String>>,
}

impl Shared {
    /// Looks at every way to every operation.
    pub(super) fn new(model: &Model<'_>, recipes: &Recipes<'_>) -> Self {
        let mut of = BTreeMap::new();
        for call in &model.calls {
            let operation = call.operation.label();
            let ways = recipes.ways(&operation).iter();
            let steps = ways.flat_map(|way| &way.script.steps);
            let all = steps.flat_map(|step| shared(model, step)).collect();
            of.insert(operation, all);
        }
        Self { of }
    }

    /// What an operation shares.
    pub(super) fn of(&self, call: &Call<'_>) -> BTreeSet<String> {
        self.of
            .get(&call.operation.label())
            .cloned()
            .unwrap_or_default()
    }
}

/// What the request of a step shares: records that its path names and no step has made, and the record that
/// it makes where an equal request may be answered with the same one.
fn shared(model: &Model<'_>, step: &Step<'_>) -> Vec<String> {
    let arguments = step.request.arguments.iter();
    let mut all: Vec<String> = arguments.filter_map(named).collect();
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
