//! Items: where a request takes from an item of the record, all is taken when that is so of each item.

use openapi_document::{Node, Pointer};

use super::amount::{self, Amount};
use super::taken;
use super::taking::{Taking, source};
use crate::exchange::Exchange;
use crate::laws::trial::answered::succeeded;
use crate::laws::trial::draft::Draft;
use crate::laws::trial::world::{Ready, World};
use crate::model::Call;
use crate::value;

/// The item of a list within a record whose key a body tells, with the list and the property of the body.
pub(crate) fn named<'n>(record: &'n Node, body: &Node) -> Option<(&'n [Node], &'n Node, String)> {
    let lists = record.entries().filter_map(|own| own.value.as_sequence());
    lists
        .flat_map(|list| list.iter().map(move |item| (list, item)))
        .find_map(|(list, item)| {
            let key = item.get("id").filter(|own| own.as_str().is_some())?;
            let told = body.entries().find(|own| own.value.same_value(key))?;
            Some((list, item, told.key.clone()))
        })
}

/// Takes all of each other item, after all of one was: then the record is in the state of what all was taken of.
pub(super) async fn each<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, taking): (&Ready<'_, 'd>, &Taking<'_, 'd>),
    first: Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let (list, item, name) = named(&taking.record, taking.with.json.as_ref()?)?;
    let mut last = first;
    for (index, other) in list.iter().enumerate() {
        if other.same_value(item) {
            continue;
        }
        let mut sent = world.compose(ready, &format!("item-{index}")).ok()?;
        let mut json = sent.json.clone()?;
        let at = Pointer::root().join(name.as_str());
        value::put(&mut json, &at, other.get("id")?.clone()).ok()?;
        let whole = Amount::read(other.get(taking.property)?)?;
        amount::put(&mut json, taking.property, whole).ok()?;
        world.put_json(&mut sent, &ready.call, json);
        last = world.send(sent).await;
        succeeded(&last).then_some(())?;
    }
    let after = source(world, taking).await?;
    let states = (&taking.record, &after, false);
    taken::look(world, (call, taking.maker), states, &last, draft)
}
