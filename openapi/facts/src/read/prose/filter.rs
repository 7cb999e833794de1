//! Reads filter parameters: `Only return open parcels`.

use super::clause::Clause;
use crate::form::Form;
use crate::matcher::Match;
use crate::pattern::Capture;
use crate::rule::{Filter, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Vec<Rule> {
    let Some((form, found)) = clause.find("filter") else {
        return Vec::new();
    };
    if chooses_parts(clause, form, &found) {
        return Vec::new();
    }
    let place = clause.place;
    let mut names = found.all(&[Capture::Ref, Capture::Refs]);
    if names.is_empty() {
        names.extend(place.name.map(str::to_owned));
    }
    let rules = names.iter().map(|name| {
        Rule::Filter(Filter {
            subject: place.named_subject(name),
            property: place.item_property(name).map(str::to_owned),
        })
    });
    rules.collect()
}

/// Whether the parameter selects fields or a count instead of items.
fn chooses_parts(clause: &Clause<'_, '_, '_>, form: &Form, found: &Match) -> bool {
    let parts = found.all(&[Capture::Some, Capture::Phrase]);
    // "fish names" and "names of fish" are parts of items, too.
    let ends_so = |part: &String| {
        let head = part.split(" of ").next().unwrap_or_default();
        let last = |text: &str| text.rsplit(' ').next().map(str::to_owned);
        let mut ends = [last(head), last(part)].into_iter().flatten();
        ends.any(|word| clause.text_has(&word, "part-end"))
    };
    parts.iter().any(|part| clause.text_has(part, "part"))
        || form.says.contains_key("shown") && parts.iter().any(ends_so)
        || clause.is_followed_by(found, "part", 1)
}
