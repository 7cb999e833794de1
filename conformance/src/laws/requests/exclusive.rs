//! Exclusive: of what a schema lets only one be given, two are refused, each of them valid by itself: a `oneOf` whose
//! alternatives require a property each, and a `not` that requires several.

use openapi_document::view::MediaType;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::model::{Call, names};
use crate::sample::{self, Extent};
use crate::shape::Shape;
use crate::value;

use super::constraints::refusal;
use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many sets of properties are tried at most.
const MOST: usize = 4;

/// Sends a body with all of what must not be there together.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let shape = Shape::of(world.model.document, call.body.as_ref());
    for (index, set) in shape.exclusions().into_iter().take(MOST).enumerate() {
        let tag = format!("exclusive-{index}");
        let ready = world.ready(call, &tag).await.ok()?;
        let mut sent = world.compose(&ready, &tag).ok()?;
        let Some((whole, added)) = together(world, call, sent.json.as_ref()?, &set) else {
            continue;
        };
        world.put_json(&mut sent, &ready.call, whole);
        let exchange = world.send(sent).await;
        let at = Pointer::root().join(added);
        if succeeded(&exchange) {
            let set: Vec<String> = set.iter().map(|own| format!("`{own}`")).collect();
            let expected = format!("a refusal of {} together", set.join(" and "));
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Body,
                expected,
                told(&exchange),
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
        } else if names::subject(added).is_none() {
            // What names a record may be looked for first.
            refusal(world, call, draft, &exchange);
        }
    }
    Some(())
}

/// A body with all properties of a set, which it must not have, and one that was added: it is valid with any but the others.
fn together<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    body: &Node,
    set: &[&'d str],
) -> Option<(Node, &'d str)> {
    let missing: Vec<&'d str> = set
        .iter()
        .filter(|own| body.get(own).is_none())
        .copied()
        .collect();
    let present = set.iter().filter(|own| !missing.contains(own));
    let mut alone = body.clone();
    present.for_each(|own| value::remove(&mut alone, own));
    let mut whole = body.clone();
    for name in &missing {
        let at = Pointer::root().join(*name);
        let fits = |own: &Node| {
            let mut alone = alone.clone();
            value::put(&mut alone, &at, own.clone()).is_ok()
                && broken(world, call, &alone).is_some_and(|own| own.is_empty())
        };
        let own = candidates(world, call, name).into_iter().find(fits)?;
        value::put(&mut whole, &at, own).ok()?;
    }
    let broken = broken(world, call, &whole)?;
    let is_of_set = |own: &String| matches!(own.as_str(), "oneOf" | "not");
    let is_broken = !broken.is_empty() && broken.iter().all(is_of_set);
    let added = *missing.first()?;
    is_broken.then_some((whole, added))
}

/// The keywords that a body breaks.
fn broken<'d>(world: &World<'_, '_, '_, 'd>, call: &Call<'d>, body: &Node) -> Option<Vec<String>> {
    let schema = call.body.as_ref()?;
    let found = world.contract().validate_request(schema, body).ok()?;
    Some(found.into_iter().map(|own| own.keyword).collect())
}

/// Values of a property: those of the examples, and one that is made up.
pub(super) fn candidates<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    name: &str,
) -> Vec<Node> {
    let document = world.model.document;
    let content = call.operation.request_body().map(|own| own.content());
    let content = content.unwrap_or_default();
    let shown = content.iter().flat_map(MediaType::examples);
    let shown = shown.filter_map(|own| own.value.node.get(name).cloned());
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let made = sample::invent(document, &shape, Extent::Full);
    shown.chain(made).collect()
}
