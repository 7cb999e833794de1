//! Reads the order of lists: `The newest parcels come first`.

use super::clause::Clause;
use crate::pattern::Capture;
use crate::place::PlaceKind;
use crate::rule::{Direction, Order, Rule};

pub(super) fn read(clause: &Clause<'_, '_, '_>) -> Option<Rule> {
    // "Can be sorted by" lists options and states no order.
    if clause.has("possible") {
        return None;
    }
    let (form, found) = clause.find("order")?;
    // "Pinned notes first, then newest first" has two keys. "The portal shows them sorted by name" is not about the list.
    if clause.has_twice("first") || clause.begins_with_another_thing(&found) {
        return None;
    }
    // "By version, newest first" and "most recently used first" are not the order of creation.
    let phrases = found.all(&[Capture::Some]);
    let is_later = phrases.iter().any(|text| clause.text_has(text, "later"));
    if form.says.get("by").is_some_and(|by| by == "creation")
        && (clause.is_by_another("order-of-time") || is_later)
    {
        return None;
    }
    let says = |key: &str| form.says.get(key).cloned();
    let place = clause.place;
    if place.kind == PlaceKind::Operation && !place.is_list {
        return None;
    }
    let chosen = form.says.contains_key("chosen");
    let (subject, by) = if place.kind == PlaceKind::Query {
        (place.subject()?, None)
    } else if chosen {
        // In the text of a list, "Sort by `x` descending" explains its only sort parameter.
        let [parameter] = clause.inputs_called(&["order-name"])[..] else {
            return None;
        };
        (place.named_subject(parameter), None)
    } else {
        let by = found.first(Capture::By).or_else(|| says("by"))?;
        (place.subject().unwrap_or_else(|| place.whole()), Some(by))
    };
    let direction = says("direction").and_then(|word| Direction::parse(&word));
    Some(Rule::Order(Order {
        subject,
        by,
        direction: direction.filter(|_| !chosen),
    }))
}
