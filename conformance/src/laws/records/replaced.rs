//! Replaced: a map that a patch is said to replace as a whole has nothing in it then but what was sent.

use spec::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::model::{Call, names};
use crate::shape::Shape;
use crate::value;

use super::versions::keep_up;
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::world::World;

/// The key of what is put in the place of all others.
const OTHER: &str = "other";

/// Patches a map twice, with another key each time.
pub(crate) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let document = world.model.document;
    let shape = Shape::of(document, call.body.as_ref());
    let of_operation = call
        .operation
        .at
        .node
        .get("description")
        .and_then(Node::as_str);
    let mut names = shape.property_names().into_iter();
    let name = names.find(|name| {
        let own = shape.property(document, name);
        let said = own.keyword("description").and_then(Node::as_str);
        let is_said = said.is_some_and(|text| says_whole(text, None))
            || of_operation.is_some_and(|text| says_whole(text, Some(name)));
        is_said && own.is_map()
    })?;
    let ready = world.ready(call, "replaced").await.ok()?;
    let mut sent = world.compose(&ready, "replaced").ok()?;
    let mut last = None;
    for key in ["one", OTHER] {
        let inner = value::node(Value::Mapping(Mapping {
            entries: vec![value::entry(key, value::string(key))],
        }));
        let entries = vec![value::entry(name, inner.clone())];
        let body = value::node(Value::Mapping(Mapping { entries }));
        let found = world
            .contract()
            .validate_request(call.body.as_ref()?, &body)
            .ok()?;
        found.is_empty().then_some(())?;
        world.put_json(&mut sent, &ready.call, body);
        let exchange = world.send(sent.clone()).await;
        keep_up(&mut sent, &exchange);
        last = Some((inner, exchange));
    }
    let (due, exchange) = last?;
    let now = record_of(call, &exchange)?.get(name)?;
    let is_more = now.get(OTHER).is_some() && !now.same_value(&due);
    if is_more {
        let claim = Claim {
            check: &checks::ECHO,
            pointer: Pointer::root().join(name),
            expected: format!("{} alone: it is replaced as a whole", due.to_json()),
            actual: world.shown(call, &Pointer::root().join(name), Some(now)),
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// Whether a text says that a property, or what it stands at, is replaced as a whole.
fn says_whole(text: &str, name: Option<&str>) -> bool {
    const REPLACED: [&str; 4] = ["replaced", "replaces", "replace", "overwritten"];
    const WHOLE: [&str; 6] = [
        "whole",
        "wholly",
        "entirely",
        "completely",
        "entire",
        "altogether",
    ];
    let text = text.to_lowercase();
    text.split(['.', ';']).any(|own| {
        let words = names::words(own);
        let has = |list: &[&str]| words.iter().any(|own| list.contains(&own.as_str()));
        let of = |name: &str| names::words(name).iter().all(|own| words.contains(own));
        has(&REPLACED) && has(&WHOLE) && !has(&["not", "never"]) && name.is_none_or(of)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_say_that_all_is_replaced() {
        for (text, name, expected) in [
            ("Labels are replaced as a whole.", Some("labels"), true),
            ("Replaces the entire map", None, true),
            ("Labels are replaced as a whole.", Some("lines"), false),
            ("Keys are merged, not replaced as a whole", None, false),
        ] {
            assert_eq!(says_whole(text, name), expected, "{text}");
        }
    }
}
