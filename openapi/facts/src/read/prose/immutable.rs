//! Reads immutable properties: `The colour cannot be changed after creation`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Immutable, Rule};
use crate::subject::Subject;

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Vec<Rule> {
    let Some((_, found)) = clause.find("immutable") else {
        return Vec::new();
    };
    let rule = |subject: Subject| {
        Rule::Immutable(Immutable {
            subject,
            after: Vec::new(),
            status: clause.refusal(),
        })
    };
    let place = clause.place;
    let named = found.all(&[Capture::Refs]).into_iter();
    let named: Vec<Rule> = named.map(|name| rule(place.named_subject(&name))).collect();
    if named.is_empty() {
        place.subject().map(rule).into_iter().collect()
    } else {
        named
    }
}
