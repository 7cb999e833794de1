//! A child has from its parent what the document shows it to have: the parent's key, and each value that
//! the documented examples of both have in common.

use spec::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names};

use super::answered::{own_key, record_of};
use super::sums::is_amount;
use super::world::{Claim, Draft, World};

/// Tries every operation that makes a record of another one.
pub(super) async fn run(world: &mut World<'_, '_, '_, '_>) {
    for call in world.calls() {
        if call.role != Role::Create {
            continue;
        }
        let mut draft = world.draft("inheritance", call);
        if let Ok(true) = of(world, call, &mut draft).await {
            world.settle(draft);
        }
    }
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = world.ready(call, "inheritance").await?;
    let Some((maker, parent)) = world.made_before(call, &ready) else {
        return Ok(false);
    };
    let (maker, parent) = (maker.clone(), parent.clone());
    let exchange = world.call(&ready, "inheritance").await?;
    let Some(child) = record_of(call, &exchange) else {
        return Ok(false);
    };
    let mut compared = key(world, (call, &maker), (child, &parent), &exchange, draft);
    let sent = exchange.sent.json.as_ref();
    for name in common(call, &maker) {
        // What the request says itself is echoed, not inherited.
        let is_sent = sent.is_some_and(|own| own.get(name).is_some());
        let (Some(own), Some(parents)) = (child.get(name), parent.get(name)) else {
            continue;
        };
        if is_sent || own.is_null() {
            continue;
        }
        compared = true;
        if !own.same_value(parents) {
            let claim = Claim {
                check: &checks::CHILD_DIFFERS,
                pointer: Pointer::root().join(name),
                expected: format!(
                    "{}, as the parent has it",
                    world.shown(&maker, &Pointer::root().join(name), Some(parents))
                ),
                actual: world.shown(call, &Pointer::root().join(name), Some(own)),
                spot: world.spot(call),
            };
            world.differ(draft, call, claim, &exchange);
        }
    }
    Ok(compared)
}

/// The child's reference to its parent; whether there is one.
fn key<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    (child, parent): (&Node, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) -> bool {
    let Some(kind) = maker.record() else {
        return false;
    };
    let own = own_key(world.model, maker).and_then(|key| parent.get(key));
    let refers = |name: &str| {
        let subject = names::subject(name).unwrap_or_default();
        subject == kind.name || subject == format!("parent {}", kind.name)
    };
    let found = child
        .entries()
        .find(|entry| refers(&entry.key) && !entry.value.is_null());
    let (Some(entry), Some(own)) = (found, own) else {
        return false;
    };
    // Of the same kind the child has a key of its own by that name.
    let is_own = own_key(world.model, call) == Some(entry.key.as_str());
    if !is_own && !entry.value.same_value(own) {
        let claim = Claim {
            check: &checks::CHILD_DIFFERS,
            pointer: Pointer::root().join(entry.key.as_str()),
            expected: format!("{}, the parent's key", value_of(own)),
            actual: value_of(&entry.value),
            spot: world.spot(call),
        };
        world.differ(draft, call, claim, exchange);
    }
    !is_own
}

fn value_of(node: &Node) -> String {
    crate::value::excerpt(&node.to_json())
}

/// Properties that both documented examples show with the same value, and that tell of more than the
/// record itself.
fn common<'d>(call: &Call<'d>, maker: &Call<'d>) -> Vec<&'d str> {
    let example = |call: &Call<'d>| -> Option<&'d Node> {
        let success = call.success.as_ref()?;
        let example = success.media.as_ref()?.examples().into_iter().next()?;
        example.value.node.at(&success.record.as_ref()?.at)
    };
    let (Some(own), Some(parents)) = (example(call), example(maker)) else {
        return Vec::new();
    };
    let tells = |name: &str, node: &Node| {
        let words = names::words(name);
        let last = words.last().map(String::as_str).unwrap_or_default();
        let of_itself = [
            "id",
            "status",
            "state",
            "type",
            "at",
            "date",
            "time",
            "description",
            "name",
            "object",
            "mode",
            "kind",
        ];
        matches!(node.value, Value::String(_)) && !of_itself.contains(&last) && !is_amount(node)
    };
    let entries = own.entries().filter(|entry| {
        let same = parents
            .get(&entry.key)
            .is_some_and(|other| other.same_value(&entry.value));
        same && tells(&entry.key, &entry.value)
    });
    entries.map(|entry| entry.key.as_str()).collect()
}
