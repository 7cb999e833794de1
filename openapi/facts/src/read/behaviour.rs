//! Reads facts from the machines and natural keys of a behaviour file.

use openapi_document::Behaviour;
use openapi_document::behaviour::{Event, Machine, NaturalKey, Record, Wire};

use crate::collection::Collection;
use crate::fact::Fact;
use crate::rule::{Barred, Effect, Rule, States, Unique};
use crate::source::Source;
use crate::subject::Subject;

/// Adds the facts that the file states.
pub(super) fn read(behaviour: &Behaviour, facts: &mut Collection) {
    for (record, machine) in behaviour.machines() {
        for event in &record.events {
            let operations = event.operations.iter();
            let operations = operations.filter(|(name, _)| name.text == machine.name.text);
            for (_, operation) in operations {
                step(record, machine, event, &operation.text, facts);
            }
        }
    }
    behaviour
        .natural_keys
        .iter()
        .for_each(|key| facts.add(unique(key)));
}

/// The states of a machine in which an operation is refused, and the state that it leads to.
fn step(
    record: &Record,
    machine: &Machine,
    event: &Event,
    operation: &str,
    facts: &mut Collection,
) {
    let rows = machine.transitions.iter();
    let rows = rows.filter(|row| row.event.text == event.name.text);
    let mut allowed: Vec<String> = Vec::new();
    for row in rows {
        let (Some(from), Some(to)) = (wire(record, &row.from.text), wire(record, &row.to.text))
        else {
            continue;
        };
        if from != to {
            let effect = Effect {
                operation: operation.to_owned(),
                property: record.property.as_ref().map(|word| word.text.clone()),
                value: to,
            };
            facts.add(Fact::new(Rule::Effect(effect), Source::Behaviour(row.span)));
        }
        if !allowed.contains(&from) {
            allowed.push(from);
        }
    }
    if !allowed.is_empty() {
        let barred = Barred {
            operation: operation.to_owned(),
            record: Some(machine.name.text.clone()),
            states: States::NotIn(allowed),
            status: None,
        };
        facts.add(Fact::new(
            Rule::Barred(barred),
            Source::Behaviour(event.name.span),
        ));
    }
}

/// The value that a response shows for a state.
fn wire(record: &Record, state: &str) -> Option<String> {
    match record.state(state)?.wire.as_ref()? {
        Wire::Text(text) => Some(text.clone()),
        Wire::Flag(flag) => Some(flag.to_string()),
    }
}

fn unique(key: &NaturalKey) -> Fact {
    let rule = Rule::Unique(Unique {
        subject: Subject {
            owner: key.operation.text.clone(),
            name: Some(key.property.text.clone()),
        },
        holds: true,
        ignores_case: false,
        scope: Some(key.collection.text.clone()),
        status: None,
    });
    Fact::new(rule, Source::Behaviour(key.property.span))
}
