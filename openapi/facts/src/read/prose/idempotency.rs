//! Reads which requests can be repeated: `Requests with the same key are carried out once`.

use super::clause::Clause;
use crate::name::normalized;
use crate::rule::{Idempotency, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let place = clause.place;
    let (form, _) = clause.find("idempotency")?;
    let key = if form.says.contains_key("whole") {
        place.whole()
    } else {
        // A value that is sent again has to be called a key, and the sentence to speak of a repetition.
        let is_key = normalized(place.name?).contains("idempoten");
        place.subject().filter(|_| is_key && clause.has("repeat"))?
    };
    Some(Rule::Idempotency(Idempotency { key, holds: true }))
}
