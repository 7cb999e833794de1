//! Reads in which states an operation is refused: `Only open parcels can be sent`.

use openapi_document::Node;
use openapi_document::view::{Method, Operation};

use super::clause::Clause;
use crate::name::words;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Barred, Rule, States};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("barred")?;
    let done = found.get(Capture::Done).unwrap_or_default();
    let is_of_operation = |operation| done.is_empty() || is_named(operation, done);
    clause
        .place
        .operation
        .filter(|operation| is_of_operation(operation))?;
    let states = found.get(Capture::States)?.to_vec();
    let states = match form.says.get("states")?.as_str() {
        "only" => States::NotIn(states),
        _ => States::In(states),
    };
    rule(clause, states)
}

/// Reads a sentence about all states except those of the previous sentence: `Sends an open parcel.
/// In any other state it is refused.`
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

/// Whether an operation is named after one of the participles in a sentence: `Cancelled orders
/// cannot be paid` is not about `cancelOrder`.
fn is_named(operation: &Operation<'_>, done: &[String]) -> bool {
    const CHANGED: [&str; 6] = [
        "changed", "updated", "modified", "edited", "amended", "altered",
    ];
    const DELETED: [&str; 2] = ["deleted", "removed"];
    let by_method: &[&str] = match operation.method {
        Method::Put | Method::Patch => &CHANGED,
        Method::Delete => &DELETED,
        _ => &[],
    };
    let segment = operation
        .stem()
        .rsplit('/')
        .find(|segment| !segment.starts_with('{'));
    let summary = operation.at.node.get("summary").and_then(Node::as_str);
    let names = [operation.id(), segment, summary].into_iter().flatten();
    let names: Vec<String> = names.flat_map(words).collect();
    done.iter().any(|done| {
        by_method.contains(&done.as_str()) || names.iter().any(|name| shares_stem(name, done))
    })
}

/// Whether a verb and a participle begin alike: `capture` and `captured`, `pay` and `paid`.
fn shares_stem(verb: &str, participle: &str) -> bool {
    let alike = verb.bytes().zip(participle.bytes());
    let alike = alike.take_while(|(one, other)| one == other).count();
    alike >= (verb.len() - 1).clamp(2, 4)
}

/// The rule of a sentence about states.
fn rule(clause: &Clause<'_, '_, '_>, states: States) -> Option<Rule> {
    let place = clause.place;
    let operation = place.operation?;
    // A safe operation changes nothing, so no state bars it.
    if operation.method.is_safe() {
        return None;
    }
    // A "paid" order may also be "partially_paid", so the state is unclear.
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
