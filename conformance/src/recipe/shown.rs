//! Shown values: completes a generated body with values from the documented example of the answer.
//!
//! Values from one example fit together; values generated one by one may not.

use openapi_document::{Node, Value};

use crate::model::{Call, Model};
use crate::names;
use crate::shape::Shape;
use crate::value;

/// The record in an example of a call's success, else in one of another answer with that kind of record.
pub(super) fn example<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d Node> {
    let record = call.record()?;
    let is_one = |call: &&Call<'d>| {
        let is_list = call
            .success
            .as_ref()
            .is_some_and(|success| success.items.is_some());
        !is_list && call.record().is_some_and(|kind| kind.is(record))
    };
    let mut others = model.calls.iter().filter(is_one);
    in_description(call).or_else(|| others.find_map(in_description))
}

/// The record in the first example of a call's success.
fn in_description<'d>(call: &Call<'d>) -> Option<&'d Node> {
    let media = call.success.as_ref()?.media.as_ref()?;
    let shown = media.examples().first()?.value.node;
    shown.at(&call.record()?.at)
}

/// Replaces generated values by those of an example. Returns whether any value changed.
pub(super) fn put<'d>(
    model: &Model<'d>,
    shape: &Shape<'d>,
    created: &mut Node,
    shown: &Node,
) -> bool {
    let document = model.document;
    let Value::Mapping(mapping) = &mut created.value else {
        return false;
    };
    let mut is_changed = false;
    for entry in &mut mapping.entries {
        let property = shape.property(document, &entry.key);
        let Some(shown) = shown.get(&entry.key).filter(|node| !node.is_null()) else {
            continue;
        };
        let has_own = ["example", "examples", "const"]
            .iter()
            .any(|key| property.keyword(key).is_some());
        let is_made_up = entry.value.items().any(|node| node.as_mapping().is_some());
        if entry.value.as_mapping().is_some() && shown.as_mapping().is_some() {
            is_changed |= put(model, &property, &mut entry.value, shown);
        } else if let (Value::Sequence(created), true) = (&mut entry.value.value, is_made_up) {
            // Items of the answer may have properties that the request does not have, so only existing ones change.
            let items = property.items(document);
            for (created, shown) in created.iter_mut().zip(shown.items()) {
                is_changed |= put(model, &items, created, shown);
            }
        } else if !has_own && entry.value.type_name() == shown.type_name() {
            entry.value = shown.clone();
            is_changed = true;
        }
    }
    is_changed
}

/// The currency in an example of the record that a call answers, else the first one in any example.
pub(super) fn currency<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d str> {
    let currency = example(model, call).and_then(currency_in);
    currency.or_else(|| {
        model
            .calls
            .iter()
            .filter_map(in_description)
            .find_map(currency_in)
    })
}

/// The first currency in a value, its own or one beside an amount.
fn currency_in(shown: &Node) -> Option<&str> {
    currencies(shown).first().copied()
}

/// The only currency in a value. `None` if there is none, or several different ones.
pub(super) fn only_currency(example: &Node) -> Option<&str> {
    let all = currencies(example);
    let first = *all.first()?;
    all.iter().all(|item| *item == first).then_some(first)
}

/// The currencies in a value: at the top level first, then in objects within it.
fn currencies(example: &Node) -> Vec<&str> {
    let values = example.entries().filter(|entry| names_currency(&entry.key));
    let values = values.filter_map(|entry| entry.value.as_str());
    let within = example
        .entries()
        .filter(|entry| entry.value.as_mapping().is_some());
    values
        .chain(within.flat_map(|entry| currencies(&entry.value)))
        .collect()
}

fn names_currency(name: &str) -> bool {
    matches!(
        names::words(name).join(" ").as_str(),
        "currency" | "currency code"
    )
}

/// Sets each currency of a body, or only those in nested objects. Returns whether any value changed.
pub(crate) fn put_currency(created: &mut Node, currency: &str, only_within: bool) -> bool {
    let Value::Mapping(mapping) = &mut created.value else {
        return false;
    };
    let mut is_changed = false;
    for entry in &mut mapping.entries {
        let is_other = entry.value.as_str().is_some_and(|item| item != currency);
        if !only_within && names_currency(&entry.key) && is_other {
            entry.value = value::string(currency);
            is_changed = true;
        } else {
            is_changed |= put_currency(&mut entry.value, currency, false);
        }
    }
    is_changed
}
