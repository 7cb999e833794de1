//! What is said to keep what it had does: a change of what a record was made of leaves the record's amounts alone,
//! and what stands under a record stays when that is replaced.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use super::versions::keep_up;
use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::laws::amounts::amount::{self, Amount};
use crate::laws::requests::repetition::another;
use crate::laws::steps::barred::step_on;
use crate::laws::steps::blocked::named;
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::compare::Apart;
use crate::laws::trial::draft::{Claim, Draft, Tried};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};
use crate::model::{Call, Record, Role, names, prose};
use crate::shape::Shape;
use crate::value;

/// So many kinds of what was made of a record are looked at.
const MOST: usize = 3;

/// Words of what stays as it is.
pub(super) const KEEPS: [&str; 9] = [
    "keep", "keeps", "kept", "retain", "retains", "copied", "snapshot", "stay", "stays",
];

/// Words of what is not done to it, where a sentence says `not`.
const TOUCHES: [&str; 7] = [
    "touched", "affect", "affects", "affected", "change", "changed", "repriced",
];

/// Words of what is left alone without a `not`.
const ALONE: [&str; 3] = ["unaffected", "unchanged", "untouched"];

/// Tries an operation that changes what others are made of.
pub(crate) async fn run<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if !world.may_write() {
        return Ok(false);
    }
    let is_put = call.chosen.is_some() && call.operation.method == Method::Put;
    let Some(kind) = call
        .record()
        .filter(|_| is_put || call.role == Role::Change)
    else {
        return Ok(false);
    };
    let model = world.model;
    let is_kept = |own: &&Call<'d>| {
        let is_other = own.role == Role::Create && own.record().is_some_and(|own| !own.is(kind));
        is_other && world.covers(own) && keeps(world, (call, own), kind)
    };
    let makers: Vec<&Call<'d>> = model.calls.iter().filter(is_kept).take(MOST).collect();
    let mut looked = false;
    for maker in makers {
        looked |= made_of(world, call, maker, draft).await.is_some();
    }
    if is_put {
        looked |= under(world, call, draft).await.is_some();
    }
    Ok(looked)
}

/// Whether the text of a change says that another kind of record keeps what it has, or that of the other's maker says
/// that it has a copy of it.
fn keeps<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    kind: &Record<'d>,
) -> bool {
    !said_of(world, (call, maker), kind).is_empty()
}

/// The sentences that say so.
fn said_of<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    kind: &Record<'d>,
) -> Vec<Vec<String>> {
    let document = world.model.document;
    let noun = |kind: &str| kind.rsplit(' ').next().unwrap_or_default().to_owned();
    let made = maker.record().map(|own| noun(&own.name));
    let shape = Shape::of(document, maker.record().map(|own| &own.schema));
    let described = shape.property_names().into_iter().filter_map(|name| {
        let own = shape.property(document, name);
        own.keyword("description").and_then(Node::as_str)
    });
    let own_noun = noun(&kind.name);
    let of_change = call.texts().flat_map(prose::spoken);
    let of_maker = maker.texts().chain(described).flat_map(prose::spoken);
    let says_made = |words: &Vec<String>| made.as_ref().is_some_and(|own| says_kept(words, own));
    let of_change = of_change.filter(says_made);
    of_change
        .chain(of_maker.filter(|words| says_kept(words, &own_noun)))
        .collect()
}

/// Whether a record is in one of the states that a sentence speaks of, if it speaks of any: `what is paid or failed stays`.
fn is_of_states<'d>(
    world: &World<'_, '_, '_, 'd>,
    maker: &Call<'d>,
    (sentence, record): (&[String], &Node),
) -> bool {
    let document = world.model.document;
    let shape = Shape::of(document, maker.record().map(|own| &own.schema));
    let mut states = record.entries().filter(|own| names::tells_state(&own.key));
    states.all(|own| {
        let known = shape.property(document, &own.key).known_values();
        let mut named = known.into_iter().filter(|own| prose::has(sentence, &[own]));
        let now = own.value.as_str();
        let first = named.next();
        first.is_none() || first == now || named.any(|own| now == Some(own))
    })
}

/// Whether a sentence says of a noun that what it tells of stays.
pub(super) fn says_kept(words: &[String], noun: &str) -> bool {
    let is_named = words.iter().any(|own| names::singular(own) == noun);
    let is_denied = prose::has(words, &["not", "never", "no", "without"]);
    let is_kept = prose::has(words, &KEEPS) && !is_denied;
    let is_spared = prose::has(words, &TOUCHES) && is_denied;
    // `In any other state` speaks of some of them only.
    let is_of_some = prose::has(words, &["other", "others", "except", "unless"]);
    is_named && !is_of_some && (is_kept || is_spared || prose::has(words, &ALONE))
}

/// Makes a record of another one, changes the amounts of that, and reads the first again.
async fn made_of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    maker: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("keeping-{}", call.operation.label());
    let ready = world.ready(maker, &tag).await.ok()?;
    let made = world.call(&ready, &tag).await.ok()?;
    let record = record_of(maker, &made).filter(|own| !world.model.is_moving(own))?;
    let reader = world.readers_for(maker, record, &made.sent);
    let reader = *reader.first()?;
    let before = world.read(reader, record, &made.sent).await.ok()?;
    let known = record_of(reader, &before)?;
    let said = said_of(world, (call, maker), call.record()?);
    let mut said = said.iter();
    said.any(|own| is_of_states(world, maker, (own, known)))
        .then_some(())?;
    let changed = change(world, call, &ready).await?;
    succeeded(&changed).then_some(())?;
    let after = world.read(reader, record, &made.sent).await.ok()?;
    let now = record_of(reader, &after)?;
    let mut found = world.apart(call, known, now);
    found.retain(|own| call.body.is_none() || Amount::read_signed(&own.one).is_some());
    tell(world, (call, reader), (found, &after), draft);
    Some(())
}

/// Changes what a call was brought to succeed with, in each of its amounts.
async fn change<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
) -> Option<Exchange> {
    let (record, mut sent) = if let Some(step) = step_on(world, call, ready) {
        let (record, _) = named(world, ready, call.record()?).into_iter().next()?;
        (record, world.compose_step(ready, &step, "keeping").ok()?)
    } else {
        let kept = ready.state.kept.as_deref()?;
        let is_put = |own: &&Exchange| own.sent.operation == call.operation.label();
        let put = kept.iter().rev().find(is_put)?;
        let mut sent = put.sent.clone();
        keep_up(&mut sent, put);
        (record_of(call, put)?.clone(), sent)
    };
    if call.body.is_some() {
        let dearer = dearer(world, call, (&record, &sent))?;
        sent.put_json(world.model.document, call.body.as_ref(), dearer);
    }
    Some(world.send(sent).await)
}

/// A body with other amounts than those that the record has.
fn dearer<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (record, sent): (&Node, &Sent),
) -> Option<Node> {
    let schema = call.body.as_ref()?;
    let shape = Shape::of(world.model.document, Some(schema));
    let mut body = sent.json.clone()?;
    let mut is_other = false;
    for name in shape.property_names() {
        let form = record.get(name);
        let Some((form, own)) = form.and_then(|form| Some((form, Amount::read(form)?))) else {
            continue;
        };
        let others = [own.units * 2, own.units + 1, own.units / 2, own.units - 1];
        let others = others.iter().filter(|units| **units != own.units);
        for units in others {
            let mut whole = body.clone();
            let at = Pointer::root().join(name);
            let put = value::put(&mut whole, &at, amount::like(form, own.with(*units).node()));
            let found = world.contract().validate_request(schema, &whole);
            if put.is_ok() && found.is_ok_and(|all| all.is_empty()) {
                body = whole;
                is_other = true;
                break;
            }
        }
    }
    is_other.then_some(body)
}

/// What stands under a record, and is changed there, is as it was after the record was replaced.
async fn under<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let model = world.model;
    let below = |own: &Call<'d>| {
        let rest = own.operation.path.strip_prefix(call.operation.path);
        rest.is_some_and(|rest| rest.starts_with('/') && !rest.contains('{'))
    };
    let is_reader = |own: &&Call<'d>| own.role == Role::Read && below(own);
    let reader = model.calls.iter().find(is_reader)?;
    let is_step =
        |own: &&Call<'d>| own.operation.method == Method::Post && below(own) && world.covers(own);
    let step = model.calls.iter().find(is_step)?;
    let ready = world.ready(step, "keeping-under").await.ok()?;
    let kept = ready.state.kept.as_deref()?;
    let is_put = |own: &&Exchange| own.sent.operation == call.operation.label();
    let put = kept.iter().rev().find(is_put)?.clone();
    let record = record_of(call, &put)?;
    let done = world.call(&ready, "keeping-under").await.ok()?;
    let before = world.read(reader, record, &put.sent).await.ok()?;
    let known = record_of(reader, &before).filter(|_| succeeded(&done))?;
    let mut sent = put.sent.clone();
    keep_up(&mut sent, &put);
    let other = another(world, call, sent.json.as_ref()?)?;
    sent.put_json(model.document, call.body.as_ref(), other);
    let replaced = world.send(sent).await;
    succeeded(&replaced).then_some(())?;
    let after = world.read(reader, record, &put.sent).await.ok()?;
    let now = record_of(reader, &after)?;
    let found = world.apart(reader, known, now);
    tell(world, (call, reader), (found, &after), draft);
    Some(())
}

fn tell<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, reader): (&Call<'d>, &Call<'d>),
    (found, after): (Vec<Apart>, &Exchange),
    draft: &mut Draft,
) {
    let what = call.operation.label();
    for own in found {
        let claim = Claim::new(
            &checks::OTHERS_CHANGED,
            Ground::Text,
            format!(
                "{}, whatever `{what}` did",
                world.shown(reader, &own.pointer, Some(&own.one))
            ),
            world.shown(reader, &own.pointer, own.other.as_ref()),
        )
        .at(own.pointer);
        world.differ(draft, call, claim, after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_to_be_kept() {
        for (text, noun, expected) in [
            (
                "Orders that exist keep the price they were placed at.",
                "order",
                true,
            ),
            (
                "The unit prices are copied from the products at the time of the order.",
                "product",
                true,
            ),
            ("This does not affect sales made before.", "sale", true),
            (
                "Existing subscriptions are unaffected",
                "subscription",
                true,
            ),
            ("Open orders follow the price", "order", false),
            ("Orders do not keep their price", "order", false),
            ("Keep it secret", "order", false),
        ] {
            let is_said = prose::spoken(text).iter().any(|own| says_kept(own, noun));
            assert_eq!(is_said, expected, "{text}");
        }
    }
}
