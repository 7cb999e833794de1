//! Reads default values: `Defaults to 20`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Default, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    // The keyword states it already.
    if clause.place.has_default {
        return None;
    }
    let (_, found) = clause.find("default")?;
    let value = found.first(Capture::Value)?;
    // "Defaults to `desc`" on a boolean refers to another value.
    clause.place.admits(&value).then_some(())?;
    Some(Rule::Default(Default {
        subject: clause.place.subject()?,
        value,
    }))
}
