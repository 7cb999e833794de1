//! Reads what counts where a value is left out: `Defaults to 20`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Default, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    // The keyword states it already.
    if clause.place.has_default {
        return None;
    }
    let (_, found) = clause.find("default")?;
    Some(Rule::Default(Default {
        subject: clause.place.subject()?,
        value: found.first(Capture::Value)?,
    }))
}
