//! Shown: what the example of an answer shows of what its request asks for. A body that nothing shows is made up of that where
//! it can be: one value goes with the others there, as what is made up for each alone need not.

use spec::node::Entry;
use spec::{Node, Value};

use crate::model::{Call, Model, names};
use crate::shape::Shape;
use crate::value;

/// The record in an example of a call's success, else of another answer with a record of that kind.
pub(super) fn example<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d Node> {
    let record = call.record()?;
    let of = |own: &Call<'d>| {
        let media = own.success.as_ref()?.media.as_ref()?;
        let shown = media.examples().first()?.value.node;
        shown.at(&own.record()?.at)
    };
    let is_one = |own: &&Call<'d>| {
        let is_list = own.success.as_ref().is_some_and(|own| own.items.is_some());
        !is_list && own.record().is_some_and(|own| own.is(record))
    };
    of(call).or_else(|| model.calls.iter().filter(is_one).find_map(of))
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
        if entry.value.as_mapping().is_some() && shown.as_mapping().is_some() {
            is_changed |= put(model, &property, &mut entry.value, shown);
        } else if !has_own && entry.value.type_name() == shown.type_name() {
            entry.value = shown.clone();
            is_changed = true;
        }
    }
    is_changed
}

/// The currency in an example of the record that a call answers, else the first in an example of any other.
pub(super) fn currency<'d>(model: &Model<'d>, call: &Call<'d>) -> Option<&'d str> {
    let own = example(model, call).into_iter();
    let others = model.calls.iter();
    let mut all = own.chain(others.filter_map(|own| example(model, own)));
    all.find_map(currency_in)
}

/// The first currency that an example tells, by itself or beside an amount.
fn currency_in(shown: &Node) -> Option<&str> {
    let own = |entry: &'_ Entry| names_currency(&entry.key) && entry.value.as_str().is_some();
    let mut entries = shown.entries();
    let of_own = entries.find(|entry| own(entry));
    of_own.and_then(|own| own.value.as_str()).or_else(|| {
        let within = shown.entries();
        let mut within = within.filter(|own| own.value.as_mapping().is_some());
        within.find_map(|own| currency_in(&own.value))
    })
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
