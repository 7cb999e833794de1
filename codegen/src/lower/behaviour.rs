//! Behaviour in the generator's words: names become indices.
//!
//! A name that is not declared is no matter for here; the rules on behaviour find it before.

use openapi_document::behaviour::{self, Behaviour};

use crate::ir::behaviour::{self as ir, Row};

/// Puts behaviour into the generator's words.
pub(super) fn lower_behaviour(behaviour: &Behaviour) -> ir::Behaviour {
    let actors = behaviour.actors.iter();
    let actors = actors.map(|actor| (actor.name.text.clone(), actor.summary.clone()));
    let records = behaviour.records.iter();
    ir::Behaviour {
        actors: actors.collect(),
        records: records.map(|record| lower(behaviour, record)).collect(),
    }
}

fn lower(behaviour: &Behaviour, record: &behaviour::Record) -> ir::Record {
    let machine_index = |name: &str| position(&record.machines, |machine| &machine.name, name);
    let events = record.events.iter().map(|event| ir::Event {
        name: event.name.text.clone(),
        docs: event.summary.clone(),
        done: event.done.clone(),
        by: position(&behaviour.actors, |actor| &actor.name, &event.by.text).unwrap_or_default(),
        operations: event
            .operations
            .iter()
            .filter_map(|(machine, id)| Some((machine_index(&machine.text)?, id.text.clone())))
            .collect(),
    });
    ir::Record {
        name: record.name.text.clone(),
        docs: record.summary.clone(),
        machines: machines(record),
        states: states(record),
        events: events.collect(),
        rows: rows(record),
    }
}

fn machines(record: &behaviour::Record) -> Vec<ir::Machine> {
    let machines = record.machines.iter().map(|machine| ir::Machine {
        name: machine.name.text.clone(),
        docs: machine.summary.clone(),
        wire: machine.wire.as_ref().map(|wire| wire.text.clone()),
        initial: machine
            .initial
            .iter()
            .filter_map(|name| state(record, &name.text))
            .collect(),
    });
    machines.collect()
}

fn states(record: &behaviour::Record) -> Vec<ir::State> {
    let states = record.states.iter().map(|state| ir::State {
        name: state.name.text.clone(),
        docs: state.summary.clone(),
        wire: state.wire.as_ref().map(|wire| match wire {
            behaviour::Wire::Text(text) => ir::Wire::Text(text.clone()),
            behaviour::Wire::Flag(flag) => ir::Wire::Flag(*flag),
        }),
    });
    states.collect()
}

fn rows(record: &behaviour::Record) -> Vec<Row> {
    let of = |(machine, rows): (usize, &Vec<behaviour::Transition>)| {
        let rows = rows.iter().filter_map(|row| {
            Some(Row {
                machine,
                from: state(record, &row.from.text)?,
                event: position(&record.events, |event| &event.name, &row.event.text)?,
                to: state(record, &row.to.text)?,
            })
        });
        rows.collect::<Vec<_>>()
    };
    let machines = record.machines.iter().map(|machine| &machine.transitions);
    machines.enumerate().flat_map(of).collect()
}

fn state(record: &behaviour::Record, name: &str) -> Option<usize> {
    position(&record.states, |state| &state.name, name)
}

fn position<T>(list: &[T], word: impl Fn(&T) -> &behaviour::Word, name: &str) -> Option<usize> {
    list.iter().position(|item| word(item).text == name)
}
