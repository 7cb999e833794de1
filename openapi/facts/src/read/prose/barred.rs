//! Reads in which states an operation is refused: `Only open parcels can be sent`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Barred, Rule, States};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("barred")?;
    let states = found.get(Capture::States)?.to_vec();
    let states = match form.says.get("states")?.as_str() {
        "only" => States::NotIn(states),
        _ => States::In(states),
    };
    rule(clause, states)
}

/// Reads a sentence about all other states than those of the one before it: `Sends an open parcel. In any other state it is
/// refused.`
pub(super) fn read_after(before: &Clause<'_, '_, '_>, clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let is_of_others = clause.has("other") && clause.has("state-word") && clause.has("refuse");
    if !is_of_others || before.is_hedged() {
        return None;
    }
    let (_, found) = before.find("from-state")?;
    let states = found.get(Capture::States)?;
    (!before.begins_elsewhere(states)).then_some(())?;
    rule(before, States::NotIn(states.to_vec()))
}

/// The rule of a sentence about some states.
fn rule(clause: &Clause<'_, '_, '_>, states: States) -> Option<Rule> {
    let place = clause.place;
    let operation = place.operation?;
    // A step changes something.
    if operation.method.is_safe() {
        return None;
    }
    // A "paid" order may be one that is "partially_paid", too.
    let (States::In(named) | States::NotIn(named)) = &states;
    if named.iter().any(|state| clause.is_part_of_another(state)) {
        return None;
    }
    let status = match place.kind {
        PlaceKind::Response(status) if status > 0 => Some(status),
        _ => None,
    };
    Some(Rule::Barred(Barred {
        operation: operation.label(),
        record: None,
        states,
        status,
    }))
}
