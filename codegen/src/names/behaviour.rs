//! The identifiers of state machines.

use super::identifier::{camel, snake};
use super::scope::distinct;
use crate::ir::behaviour::Behaviour;

/// The identifiers of all behaviour.
#[derive(Debug, Default)]
pub struct BehaviourNames {
    /// The variants of who causes events.
    pub actors: Vec<String>,
    /// By record.
    pub records: Vec<RecordNames>,
}

/// The identifiers of a record.
#[derive(Debug)]
pub struct RecordNames {
    /// Its module.
    pub module: String,
    /// The variants of its machines.
    pub machines: Vec<String>,
    /// The variants of its states.
    pub states: Vec<String>,
    /// The variants of its events.
    pub events: Vec<String>,
}

/// Decides the identifiers of behaviour.
pub(super) fn assign(behaviour: &Behaviour) -> BehaviourNames {
    let modules: Vec<&str> = behaviour
        .records
        .iter()
        .map(|record| record.name.as_str())
        .collect();
    let modules = distinct(&modules, &[], snake);
    let actors = behaviour.actors.iter().map(|(name, _)| name.as_str());
    let records = behaviour.records.iter().zip(modules);
    let records = records.map(|(record, module)| RecordNames {
        module,
        machines: variants(record.machines.iter().map(|machine| machine.name.as_str())),
        states: variants(record.states.iter().map(|state| state.name.as_str())),
        events: variants(record.events.iter().map(|event| event.name.as_str())),
    });
    BehaviourNames {
        actors: variants(actors),
        records: records.collect(),
    }
}

fn variants<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let words: Vec<&str> = words.collect();
    distinct(&words, &["Self"], camel)
}
