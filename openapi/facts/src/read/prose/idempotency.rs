//! Reads idempotency keys: `Requests with the same key are carried out once`.

use super::clause::Clause;
use crate::name::normalized;
use crate::rule::{Idempotency, Rule};
use crate::subject::Subject;

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let place = clause.place;
    let (form, _) = clause.find("idempotency")?;
    if form.says.contains_key("whole") {
        return Some(key(place.whole()));
    }
    let name = normalized(place.name?);
    let is_key = name.contains("idempoten");
    let is_said = if form.says.contains_key("named") {
        is_key || clause.is_in_role("request-name", &name)
    } else {
        // A repeated value counts only if it is named a key and the sentence mentions a repetition.
        is_key && (form.says.contains_key("timed") || clause.has("repeat"))
    };
    place.subject().filter(|_| is_said).map(key)
}

fn key(key: Subject) -> Rule {
    Rule::Idempotency(Idempotency::new(key, true))
}
