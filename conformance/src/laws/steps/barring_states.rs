//! Barring states: finds whether the record of a step is in a state that bars the step.

use openapi_document::Node;
use openapi_facts::rule::States;
use openapi_facts::{Fact, Facts, Rule};

use crate::model::{Call, Model, Role};
use crate::names;
use crate::shape::Shape;

use crate::scene::{Ready, Scene};
use crate::value;

/// The record that a call is about, with its state property.
pub(super) struct BarringStates<'w, 'd> {
    model: &'w Model<'d>,
    facts: &'w Facts,
    operation: String,
    pub(super) creator: &'w Call<'d>,
    property: &'d str,
}

impl<'w, 'd> BarringStates<'w, 'd> {
    /// `None` if no fact bars the call in a state of the record.
    pub(super) fn of(
        scene: &Scene<'w, 'd>,
        call: &Call<'d>,
        ready: &Ready<'_, 'd>,
    ) -> Option<Self> {
        let about = scene.record_before(call, ready).into_iter();
        let sent = scene.compose(ready, "states").ok();
        let named = sent.map_or_else(Vec::new, |sent| scene.named_before(call, ready, &sent));
        let mut all = about.chain(named).map(|(creator, _)| creator);
        all.find_map(|creator| Self::of_record(scene, call, creator))
    }

    /// Like [`Self::of`], for a record that the call names.
    fn of_record(scene: &Scene<'w, 'd>, call: &Call<'d>, creator: &Call<'d>) -> Option<Self> {
        let document = scene.model.document;
        let creator = scene.model.calls.iter().find(|other| {
            let kind = other.record().zip(creator.record());
            other.role == Role::Create && kind.is_some_and(|(one, other)| one.is(other))
        })?;
        let shape = Shape::of(document, creator.record().map(|record| &record.schema));
        let names = shape.property_names();
        let flag = flag(scene, &call.operation.label());
        let property = match flag {
            Some(flag) => names.iter().copied().find(|name| *name == flag)?,
            None => names::state_name(names.iter().copied())?,
        };
        let address = Self {
            model: scene.model,
            facts: scene.facts,
            operation: call.operation.label(),
            creator,
            property,
        };
        let states = match flag {
            Some(_) => vec!["true", "false"],
            None => shape.property(document, property).known_values(),
        };
        let bars = states
            .into_iter()
            .any(|state| address.fact(state).is_some());
        bars.then_some(address)
    }

    /// The state of a record, if it bars the call and is not in transition.
    pub(super) fn barring(&self, record: &Node) -> Option<String> {
        let state = value::plain(record.get(self.property)?);
        let bars = self.bars(&state) && !self.model.is_moving(record);
        bars.then_some(state)
    }

    /// Whether a state bars the call.
    pub(super) fn bars(&self, state: &str) -> bool {
        self.fact(state).is_some()
    }

    fn fact(&self, state: &str) -> Option<&'w Fact> {
        self.facts.barring(&self.operation, state)
    }
}

/// The flag that stands for a state: the facts bar the operation by `true` or `false`, and an effect sets the flag to
/// a value that bars it.
fn flag<'w>(scene: &Scene<'w, '_>, operation: &str) -> Option<&'w str> {
    let is_flag = |value: &str| matches!(value, "true" | "false");
    let is_of_flag = scene.facts.barred(operation).any(|(_, rule)| {
        let (States::In(states) | States::NotIn(states)) = &rule.states;
        states.iter().all(|state| is_flag(state))
    });
    let mut effects = scene.facts.list.iter().filter(|_| is_of_flag);
    effects.find_map(|fact| match &fact.rule {
        Rule::Effect(rule) if is_flag(&rule.value) => {
            let bars = scene.facts.barring(operation, &rule.value).is_some();
            rule.property.as_deref().filter(|_| bars)
        }
        _ => None,
    })
}
