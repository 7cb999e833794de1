//! Reads how two values compare: `Must be greater than or equal to the start`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Comparison, Relation, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let place = clause.place;
    let (form, found) = clause.find("relation")?;
    if clause.is_about_another(&found) || clause.goes_on(&found) {
        return None;
    }
    let key = if place.is_time() { "time" } else { "is" };
    Some(Rule::Relation(Relation {
        subject: place.subject()?,
        is: Comparison::parse(form.says.get(key)?)?,
        other: found.first(Capture::Name)?,
        status: clause.refusal(),
        condition: None,
    }))
}
