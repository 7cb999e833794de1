//! Reads which parameters choose the items of a list: `Only return open parcels`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::rule::{Filter, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    let (_, found) = clause.find("filter")?;
    let place = clause.place;
    // What chooses fields, or counts, chooses no items.
    let parts = found.get(Capture::Some).unwrap_or_default();
    if parts.iter().any(|part| clause.text_has(part, "part"))
        || clause.is_followed_by(&found, "part", 1)
    {
        return None;
    }
    let named = found.first(Capture::Ref);
    let name = named.as_deref().or(place.name)?;
    Some(Rule::Filter(Filter {
        subject: place.named_subject(name),
        property: place.item_property(name).map(str::to_owned),
    }))
}
