//! Reads in which states an operation is refused: `Only open parcels can be sent`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Barred, Rule, States};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("barred")?;
    let place = clause.place;
    let operation = place.operation?;
    // A step changes something.
    if operation.method.is_safe() {
        return None;
    }
    let states = found.get(Capture::States)?.to_vec();
    // A "paid" order may be one that is "partially_paid", too.
    if states.iter().any(|state| clause.is_part_of_another(state)) {
        return None;
    }
    let states = match form.says.get("states")?.as_str() {
        "only" => States::NotIn(states),
        _ => States::In(states),
    };
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
