//! Whether a value keeps to the constraints of its place, by the same functions that a generated
//! crate asks.

use openapi_document::node::Node;
use openapi_generate_runtime::Number;
use openapi_generate_runtime::constraint::{self, Violations};

use crate::ir::{Bound, Constraints, Type};
use crate::matching;

/// The first constraint that the value itself breaks; what is inside it has constraints of its own.
pub(super) fn broken(bounds: &Constraints, ty: &Type, value: &Node) -> Option<String> {
    let found = constraint::found(|found| match ty {
        Type::Text | Type::Decimal | Type::Date | Type::Timestamp | Type::Uuid => {
            text(bounds, value.as_str().unwrap_or_default(), found);
        }
        Type::Int32 | Type::Int64 | Type::Uint64 | Type::Number => {
            if let Some(Ok(exact)) = value.as_number().map(Number::new) {
                number(bounds, &exact, found);
            }
        }
        Type::List(_) => list(bounds, value.as_sequence().unwrap_or_default(), found),
        Type::Map(_) => map(bounds, value.entries().count(), found),
        Type::Bool | Type::Bytes | Type::File | Type::Any | Type::JsonText(_) | Type::Named(_) => {}
    });
    if let Some(rule) = &bounds.rule
        && let Err(keyword) = matching::check(rule, &value.to_serde())
    {
        return Some(format!("must keep to `{keyword}`"));
    }
    found.into_iter().next().map(|violation| violation.detail)
}

fn count(bound: u64) -> usize {
    usize::try_from(bound).unwrap_or(usize::MAX)
}

fn text(bounds: &Constraints, text: &str, found: &mut Violations<'_>) {
    if let Some(least) = bounds.min_length {
        constraint::min_length(found, text, count(least));
    }
    if let Some(most) = bounds.max_length {
        constraint::max_length(found, text, count(most));
    }
    for source in &bounds.patterns {
        if !matching::is_match(source, text) {
            found.add("pattern", format_args!("must match {source}"));
        }
    }
    if bounds.uri {
        constraint::uri(found, text);
    }
}

fn number(bounds: &Constraints, value: &Number, found: &mut Violations<'_>) {
    let exact = |bound: &Bound| Number::new(&bound.digits).ok()?.to_decimal();
    let ends = |bound: &Option<Bound>| {
        let bound = bound.as_ref()?;
        Some((value.to_decimal()?, exact(bound)?, bound.exclusive))
    };
    match ends(&bounds.minimum) {
        Some((value, least, true)) => constraint::above(found, &value, &least),
        Some((value, least, false)) => constraint::minimum(found, &value, &least),
        None => {}
    }
    match ends(&bounds.maximum) {
        Some((value, most, true)) => constraint::below(found, &value, &most),
        Some((value, most, false)) => constraint::maximum(found, &value, &most),
        None => {}
    }
    if let Some(step) = &bounds.multiple_of {
        constraint::multiple_of(found, value, step);
    }
    if !bounds.one_of.is_empty() {
        let values: Vec<&str> = bounds.one_of.iter().map(String::as_str).collect();
        constraint::one_of(found, value, &values);
    }
}

fn list(bounds: &Constraints, items: &[Node], found: &mut Violations<'_>) {
    if let Some(least) = bounds.min_items {
        constraint::min_items(found, items.len(), count(least));
    }
    if let Some(most) = bounds.max_items {
        constraint::max_items(found, items.len(), count(most));
    }
    if bounds.unique_items {
        let texts: Vec<String> = items.iter().map(Node::to_json).collect();
        constraint::unique_items(found, &texts);
    }
}

fn map(bounds: &Constraints, properties: usize, found: &mut Violations<'_>) {
    if let Some(least) = bounds.min_properties {
        constraint::min_properties(found, properties, count(least));
    }
    if let Some(most) = bounds.max_properties {
        constraint::max_properties(found, properties, count(most));
    }
}
