//! Rule: from which states a step may be taken, as the behaviour file has it.

use std::collections::BTreeSet;

use openapi_document::behaviour::{Transition, Wire};

use crate::model::Call;
use crate::scene::Scene;

/// From which states a step may be taken.
pub(crate) struct Rule {
    /// The property that tells the state.
    pub(crate) property: String,
    /// The event that the step is.
    pub(crate) event: String,
    /// The states, as the wire has them.
    pub(crate) from: BTreeSet<String>,
}

impl<'d> Scene<'_, '_, '_, 'd> {
    /// From which states a record may take the step that an operation is, as the behaviour file has it.
    pub(crate) fn rule(&self, maker: &Call<'d>, call: &Call<'d>) -> Option<Rule> {
        let id = call.operation.id()?;
        let made_by = maker.operation.id()?;
        self.model.behaviour.records.iter().find_map(|record| {
            let machine = record
                .machines
                .iter()
                .find(|own| own.created_by.as_ref().is_some_and(|by| by.text == made_by))?;
            let event = record.events.iter().find(|event| {
                let mut operations = event.operations.iter();
                operations.any(|(own, by)| own.text == machine.name.text && by.text == id)
            })?;
            let wire = |name: &str| {
                let state = record.states.iter().find(|own| own.name.text == name);
                match state.and_then(|own| own.wire.as_ref()) {
                    Some(Wire::Text(text)) => text.clone(),
                    _ => name.to_owned(),
                }
            };
            let all = machine.transitions.iter();
            let of_event = |own: &&Transition| own.event.text == event.name.text;
            let from = all.filter(of_event).map(|own| wire(&own.from.text));
            Some(Rule {
                property: record.property.as_ref()?.text.clone(),
                event: event.name.text.clone(),
                from: from.collect(),
            })
        })
    }
}
