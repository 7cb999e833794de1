//! Shown: what the example of an answer shows of what its request asks for. A body that nothing shows is made up of that where
//! it can be: one value goes with the others there, as what is made up for each alone need not.

use spec::{Node, Value};

use crate::model::{Call, Model};
use crate::shape::Shape;

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
