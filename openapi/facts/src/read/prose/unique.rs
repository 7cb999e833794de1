//! Reads unique values: `The label must be unique within a depot`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Rule, Unique};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (form, found) = clause.find("unique")?;
    // "Unique here, but not there" is not a plain rule.
    let holds = form.says.get("holds");
    if clause
        .all("unique")
        .any(|(other, _)| other.says.get("holds") != holds)
        || clause.has_twice("unique")
    {
        return None;
    }
    let scope = found.first(Capture::Some);
    // A scope that no form captures limits the rule.
    if scope.is_none() && (clause.is_followed_by(&found, "within", 1) || clause.has("scope")) {
        return None;
    }
    let place = clause.place;
    let named = match &found.all(&[Capture::Refs, Capture::Name])[..] {
        [name] => Some(place.named_subject(name)),
        // Several values that are unique together are not supported.
        [_, _, ..] => return None,
        [] => place
            .subject()
            .or_else(|| (place.kind == PlaceKind::Schema).then(|| place.whole())),
    };
    let status = match place.kind {
        PlaceKind::Response(status) if status > 0 => Some(status),
        _ => clause.refusal(),
    };
    Some(Rule::Unique(Unique {
        subject: named?,
        holds: holds.is_some_and(|word| word == "true"),
        ignores_case: false,
        scope,
        status,
    }))
}
