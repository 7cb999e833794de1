//! Item defaults: omitting a property of an item must have the same effect as sending its default.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};

use crate::amount::Amount;
use crate::answered::record_of;
use crate::checks;
use crate::model::{Call, Role};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::shape::Shape;
use crate::value;

/// At most this many properties are omitted, one after another.
const MOST: usize = 4;

/// Tests an operation that creates a record or takes a step on one.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    if !is_step && call.role != Role::Create {
        return Ok(false);
    }
    let mut compared = false;
    for (list, name, default) in in_items(scene, call) {
        let found = of_item(scene, call, (list, name, &default), draft).await;
        compared |= found == Ok(true);
    }
    Ok(compared)
}

/// The optional properties with a default in the items of a body's lists.
fn in_items<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> Vec<(&'d str, &'d str, Node)> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let mut found = Vec::new();
    for list in shape.property_names() {
        let item = shape.property(document, list).items(document);
        for name in item.property_names() {
            let default = item.property(document, name);
            let default = default.keyword("default").filter(|node| !node.is_null());
            if let Some(default) = default.filter(|_| !item.requires(name)) {
                found.push((list, name, default.clone()));
            }
        }
    }
    found.truncate(MOST);
    found
}

/// The answered item must show the default of the omitted property.
async fn of_item<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (list, name, default): (&str, &str, &Node),
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene
        .ready(call, &format!("defaults-{list}-{name}"))
        .await?;
    let mut sent = scene.compose(&ready, "default")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let at = Pointer::root().join(list).join("0");
    let item = json.at(&at).ok_or("the list is empty")?;
    let mut item = item.clone();
    value::remove(&mut item, name);
    let alone = value::node(Value::Sequence(vec![item]));
    value::put(&mut json, &Pointer::root().join(list), alone)?;
    let put = scene.put_valid(call, (&mut sent, &ready.call), json);
    put.ok_or_else(|| format!("`{name}` cannot be omitted"))?;
    let without = scene.send(sent).await;
    let pointer = at.join(name);
    let observed = record_of(call, &without).and_then(|node| node.at(&pointer));
    let Some(observed) = observed else {
        return Ok(false);
    };
    let amounts = Amount::read_signed(observed).zip(Amount::read_signed(default));
    let compared = amounts.and_then(|(one, other)| one.compared(other));
    if !observed.same_value(default) && !compared.is_some_and(std::cmp::Ordering::is_eq) {
        let claim = Claim::new(
            &checks::DEFAULT_DIFFERS,
            Basis::Body,
            format!("{}, its documented default", default.to_json()),
            scene.shown(call, &pointer, Some(observed)),
        )
        .at(pointer.clone());
        scene.differ(draft, call, claim, &without);
    }
    Ok(true)
}
