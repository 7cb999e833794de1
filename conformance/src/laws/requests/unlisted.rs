//! Unlisted: a change whose schema lists all that may be sent is refused with what the record has besides, such as its key,
//! though the change beside it is a valid one.

use openapi_document::Pointer;
use openapi_document::view::Method;

use crate::checks;
use crate::model::{Call, prose};
use crate::shape::Shape;
use crate::value;

use crate::laws::trial::answered::{succeeded, told};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// So many properties are tried at most.
const MOST: usize = 8;

/// Sends each of them as the record has it.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let is_change = matches!(call.operation.method, Method::Patch | Method::Put);
    let shape = Shape::of(world.model.document, call.body.as_ref());
    let closed = shape.keyword("additionalProperties")?;
    // Who takes anything takes these, too, and that is told already.
    (is_change && closed.as_bool() == Some(false) && draft.is_clean() && !is_ignored(call))
        .then_some(())?;
    let ready = world.ready(call, "unlisted").await.ok()?;
    let (_, record) = world.made_before(call, &ready)?;
    let listed = shape.property_names();
    let is_new = |own: &&openapi_document::node::Entry| {
        !listed.contains(&own.key.as_str()) && !own.value.is_null()
    };
    let more: Vec<_> = record
        .entries()
        .filter(is_new)
        .take(MOST)
        .cloned()
        .collect();
    for entry in more {
        let mut sent = world.compose(&ready, "unlisted").ok()?;
        let mut json = sent.json.clone()?;
        let at = Pointer::root().join(entry.key.as_str());
        value::put(&mut json, &at, entry.value).ok()?;
        let broken = world
            .contract()
            .validate_request(call.body.as_ref()?, &json);
        if broken.ok()?.is_empty() {
            continue;
        }
        world.put_json(&mut sent, &ready.call, json);
        let exchange = world.send(sent).await;
        if succeeded(&exchange) {
            let name = entry.key;
            let expected = format!("a refusal of `{name}`, which the record has and no change");
            let claim = Claim::new(
                &checks::CONSTRAINT_IGNORED,
                Ground::Body,
                expected,
                told(&exchange),
            )
            .at(at);
            world.differ(draft, call, claim, &exchange);
            return Some(());
        }
    }
    Some(())
}

/// Whether a text says that what cannot be changed is ignored.
fn is_ignored(call: &Call<'_>) -> bool {
    let own = call.operation.request_body();
    let own = own.and_then(|own| own.at.node.get("description")?.as_str());
    let schema = call.body.as_ref();
    let schema = schema.and_then(|own| own.node.get("description")?.as_str());
    let texts = call.texts().chain(call.overall).chain(own).chain(schema);
    texts.flat_map(prose::spoken).any(|own| says_ignored(&own))
}

fn says_ignored(words: &[String]) -> bool {
    const IGNORED: [&str; 4] = ["ignored", "ignores", "ignore", "disregarded"];
    const ELSEWHERE: [&str; 5] = ["parameter", "parameters", "query", "header", "headers"];
    prose::has(words, &IGNORED) && !prose::has(words, &ELSEWHERE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::names;

    #[test]
    fn what_is_said_to_be_ignored() {
        for (text, expected) in [
            ("Properties that cannot be changed are ignored", true),
            (
                "Query parameters that are not documented are ignored",
                false,
            ),
            ("They are refused", false),
        ] {
            assert_eq!(says_ignored(&names::words(text)), expected, "{text}");
        }
    }
}
