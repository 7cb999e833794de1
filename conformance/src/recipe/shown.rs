//! Shown: what the example of an answer shows of what its request asks for. A body that nothing shows is made up of that where
//! it can be: one value goes with the others there, as what is made up for each alone need not.

use openapi_document::{Node, Value};

use crate::model::{Call, Model};
use crate::names;
use crate::shape::Shape;
use crate::value;

/// The record in an example of a call's success, else of another answer with a record of that kind.
pub(super) fn example<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d Node> {
    let record = call.record()?;
    let is_one = |own: &&Call<'d>| {
        let is_list = own.success.as_ref().is_some_and(|own| own.items.is_some());
        !is_list && own.record().is_some_and(|own| own.is(record))
    };
    let mut others = model.calls.iter().filter(is_one);
    of_own(call).or_else(|| others.find_map(of_own))
}

/// The record in an example of a call's success.
fn of_own<'d>(call: &Call<'d>) -> Option<&'d Node> {
    let media = call.success.as_ref()?.media.as_ref()?;
    let shown = media.examples().first()?.value.node;
    shown.at(&call.record()?.at)
}

/// Puts what is shown in the place of what was made up; whether anything was.
pub(super) fn put<'d>(model: &Model<'d>, shape: &Shape<'d>, made: &mut Node, shown: &Node) -> bool {
    let document = model.document;
    let Value::Mapping(mapping) = &mut made.value else {
        return false;
    };
    let mut is_changed = false;
    for entry in &mut mapping.entries {
        let property = shape.property(document, &entry.key);
        let Some(shown) = shown.get(&entry.key).filter(|own| !own.is_null()) else {
            continue;
        };
        let has_own = ["example", "examples", "const"]
            .iter()
            .any(|key| property.keyword(key).is_some());
        let is_made_up = entry.value.items().any(|own| own.as_mapping().is_some());
        if entry.value.as_mapping().is_some() && shown.as_mapping().is_some() {
            is_changed |= put(model, &property, &mut entry.value, shown);
        } else if let (Value::Sequence(made), true) = (&mut entry.value.value, is_made_up) {
            // What is told of an item may be more than what is asked for.
            let items = property.items(document);
            for (made, shown) in made.iter_mut().zip(shown.items()) {
                is_changed |= put(model, &items, made, shown);
            }
        } else if !has_own && entry.value.type_name() == shown.type_name() {
            entry.value = shown.clone();
            is_changed = true;
        }
    }
    is_changed
}

/// The currency in an example of the record that a call answers, else the first in an example of any other.
pub(super) fn currency<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d str> {
    let own = example(model, call).and_then(currency_in);
    own.or_else(|| model.calls.iter().filter_map(of_own).find_map(currency_in))
}

/// The first currency that a value tells, by itself or beside an amount.
fn currency_in(shown: &Node) -> Option<&str> {
    currencies(shown).first().copied()
}

/// The currency that a value tells, wherever it tells one; `None` where it tells of several.
pub(super) fn only_currency(told: &Node) -> Option<&str> {
    let all = currencies(told);
    let first = *all.first()?;
    all.iter().all(|own| *own == first).then_some(first)
}

/// The currencies that a value tells: its own first, then those beside its amounts.
fn currencies(told: &Node) -> Vec<&str> {
    let own = told.entries().filter(|own| names_currency(&own.key));
    let own = own.filter_map(|own| own.value.as_str());
    let within = told
        .entries()
        .filter(|own| own.value.as_mapping().is_some());
    own.chain(within.flat_map(|own| currencies(&own.value)))
        .collect()
}

fn names_currency(name: &str) -> bool {
    matches!(
        names::words(name).join(" ").as_str(),
        "currency" | "currency code"
    )
}

/// Puts a currency wherever one is told, or only within what a body has; whether it was another one.
pub(crate) fn put_currency(made: &mut Node, currency: &str, only_within: bool) -> bool {
    let Value::Mapping(mapping) = &mut made.value else {
        return false;
    };
    let mut is_changed = false;
    for entry in &mut mapping.entries {
        let is_other = entry.value.as_str().is_some_and(|own| own != currency);
        if !only_within && names_currency(&entry.key) && is_other {
            entry.value = value::string(currency);
            is_changed = true;
        } else {
            is_changed |= put_currency(&mut entry.value, currency, false);
        }
    }
    is_changed
}
