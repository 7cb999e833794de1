//! Settle: the last step of normalization, in which keywords affect each other.

use regex::Regex;

use super::flat::{Bound, Flat, Property, SIZES};
use super::types::Types;
use crate::number::Number;
use openapi_document::node::{Node, Value};

/// Removes keywords without effect, and adds implied ones.
pub(super) fn settle(flat: &mut Flat<'_>) {
    flat.declared = flat.types;
    settle_values(flat);
    let types = flat.types;
    if !types.has(Types::NUMBER) {
        (flat.lower, flat.upper) = (None, None);
        flat.multiples.clear();
    }
    flat.patterns
        .retain(|pattern| types.has(Types::STRING) && !accepts_every_text(pattern.text));
    for (size, count) in flat.sizes.iter_mut().zip(&SIZES) {
        if !types.has(count.of) {
            *size = None;
        }
    }
    if !types.has(Types::ARRAY) {
        flat.unique = None;
        flat.items.clear();
    }
    settle_object(flat);
    settle_bounds(flat);
}

/// Whether a pattern certainly accepts every text.
pub(super) fn accepts_every_text(pattern: &str) -> bool {
    matches!(pattern, "" | ".*" | "^.*$" | "^.*" | ".*$" | "^")
}

/// Removes listed values that other keywords exclude. A boolean that lists both values lists none.
fn settle_values(flat: &mut Flat<'_>) {
    let Some(mut values) = flat.values.take() else {
        return;
    };
    values.list.retain(|_, value| accepts(flat, value));
    let types = values.list.values().map(|value| Types::of(value));
    let types = types.fold(Types::NONE, Types::or);
    // Listed numbers do not decide between integer and number.
    let types = if types.has(Types::NUMBER) {
        types.or(Types::NUMBER)
    } else {
        types
    };
    flat.types = flat.types.and(types);
    let flags = values
        .list
        .keys()
        .filter(|key| matches!(key.as_str(), "true" | "false"))
        .count();
    let only_flags = flat.types.without(Types::NULL) == Types::BOOLEAN;
    if !(only_flags && flags == 2) {
        flat.values = Some(values);
    }
}

/// Whether the keywords for scalars accept a value.
pub(crate) fn accepts(flat: &Flat<'_>, value: &Node) -> bool {
    if !flat.types.covers(Types::of(value)) {
        return false;
    }
    match &value.value {
        Value::String(text) => accepts_text(flat, text),
        Value::Number(text) => Number::parse(text).is_none_or(|number| {
            let multiple = |size: &Number| number.is_multiple_of(size) != Some(false);
            within(flat.lower.as_ref(), &number, true)
                && within(flat.upper.as_ref(), &number, false)
                && flat
                    .multiples
                    .iter()
                    .all(|multiple_of| multiple(&multiple_of.size))
        }),
        _ => true,
    }
}

fn accepts_text(flat: &Flat<'_>, text: &str) -> bool {
    let length = Number::of(text.chars().count());
    let fits = |index: usize| match &flat.sizes[index] {
        Some(size) if SIZES[index].is_lower => length >= size.size,
        Some(size) => length <= size.size,
        None => true,
    };
    let matches = |pattern: &str| Regex::new(pattern).map_or(true, |regex| regex.is_match(text));
    fits(0) && fits(1) && flat.patterns.iter().all(|pattern| matches(pattern.text))
}

fn within(bound: Option<&Bound<'_>>, number: &Number, is_lower: bool) -> bool {
    bound.is_none_or(|bound| {
        let inside = if is_lower {
            *number > bound.limit
        } else {
            *number < bound.limit
        };
        inside || (!bound.exclusive && *number == bound.limit)
    })
}

/// Turns exclusive bounds of whole numbers into inclusive ones: above 5 means from 6 on.
fn settle_bounds(flat: &mut Flat<'_>) {
    if flat.types.and(Types::NUMBER) != Types::INTEGER {
        return;
    }
    for (bound, up) in [(&mut flat.lower, true), (&mut flat.upper, false)] {
        if let Some(bound) = bound.as_mut().filter(|bound| bound.exclusive)
            && let Some(limit) = bound.limit.neighbour(up)
        {
            bound.whole = Some(limit);
        }
    }
}

/// Adds required names without a schema as properties; the schema for additional properties applies
/// to them.
fn settle_object(flat: &mut Flat<'_>) {
    if !flat.types.has(Types::OBJECT) {
        flat.properties.clear();
        flat.required.clear();
        flat.rest.clear();
        return;
    }
    for (&name, &node) in &flat.required {
        let property = flat.properties.entry(name).or_insert_with(|| Property {
            schemas: flat.rest.clone(),
            name_at: node.span,
            node,
            required: None,
        });
        property.required = Some(node);
    }
}
