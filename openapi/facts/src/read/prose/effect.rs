//! Reads the state that an operation leads to: `Marks the parcel as sent`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Effect, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (_, found) = clause.find("effect")?;
    let operation = clause.place.operation?;
    if operation.method.is_safe() {
        return None;
    }
    // "The request was accepted" is about the call, not about a record.
    let about = found.all(&[Capture::Lead]);
    if about.iter().any(|text| clause.text_has(text, "call")) {
        return None;
    }
    let [value] = found.get(Capture::States)? else {
        return None;
    };
    Some(Rule::Effect(Effect {
        operation: operation.label(),
        property: clause.state_property.map(str::to_owned),
        value: value.clone(),
    }))
}
