//! Barring states: finds whether the record of a step is in a state that bars the step.

use openapi_document::Node;
use openapi_facts::{Fact, Facts};

use crate::model::{Call, Model, Role};
use crate::names;
use crate::shape::Shape;

use crate::scene::{Ready, Scene};

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
        let (creator, _) = scene.record_before(call, ready)?;
        let document = scene.model.document;
        let creator = scene.model.calls.iter().find(|other| {
            let kind = other.record().zip(creator.record());
            other.role == Role::Create && kind.is_some_and(|(one, other)| one.is(other))
        })?;
        let shape = Shape::of(document, creator.record().map(|record| &record.schema));
        let property = names::state_name(shape.property_names().into_iter())?;
        let address = Self {
            model: scene.model,
            facts: scene.facts,
            operation: call.operation.label(),
            creator,
            property,
        };
        let states = shape.property(document, property).known_values();
        let bars = states
            .into_iter()
            .any(|state| address.fact(state).is_some());
        bars.then_some(address)
    }

    /// The state of a record, if it bars the call and is not in transition.
    pub(super) fn barring(&self, record: &Node) -> Option<String> {
        let state = record.get(self.property)?.as_str()?;
        let bars = self.bars(state) && !self.model.is_moving(record);
        bars.then(|| state.to_owned())
    }

    /// Whether a state bars the call.
    pub(super) fn bars(&self, state: &str) -> bool {
        self.fact(state).is_some()
    }

    fn fact(&self, state: &str) -> Option<&'w Fact> {
        self.facts.barring(&self.operation, state)
    }
}
