//! Turned: what a text says that a record in one state becomes by a step: "a `partially_captured` payment becomes `captured`".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names, prose};

use super::barred::step_on;
use super::former::state_of;
use crate::laws::records::versions::keep_up;
use crate::laws::trial::answered::{record_of, status, succeeded};
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;
use crate::shape::Shape;

/// So many other steps are tried at most, to bring a record to the state that a text begins with.
const MOST: usize = 4;

/// Takes the step on a record in each state that a text says what it becomes of; whether one was reached.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let property = state_of(world, call).filter(|_| call.role == Role::Change);
    let Some(property) = property.filter(|_| world.may_write()) else {
        return false;
    };
    let shape = Shape::of(world.model.document, call.record().map(|own| &own.schema));
    let states = shape
        .property(world.model.document, property)
        .known_values();
    let said = call.texts().flat_map(prose::sentences);
    let turns: Vec<(&'d str, &'d str)> = said.flat_map(|own| turns(own, &states)).collect();
    let mut tried = false;
    for (from, to) in turns {
        tried |= of(world, call, (property, from, to), draft).await.is_some();
    }
    tried
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, from, to): (&str, &str, &str),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("turned-{from}");
    let state = |record: &Node| {
        record
            .get(property)
            .and_then(Node::as_str)
            .map(str::to_owned)
    };
    let ready = world.ready(call, &tag).await.ok()?;
    let now = world
        .made_by_now(call, &ready)
        .await
        .as_ref()
        .and_then(state);
    if now.as_deref() == Some(from) {
        let done = world.call(&ready, &tag).await.ok()?;
        return judge(world, call, (property, from, to), &done, draft);
    }
    let kind = call.record()?;
    let label = call.operation.label();
    let is_other = |own: &&Call<'d>| {
        let is_of_kind = own.record().is_some_and(|own| own.is(kind));
        own.role == Role::Change && is_of_kind && own.operation.label() != label
    };
    let model = world.model;
    let others = model.calls.iter().filter(is_other);
    for (index, other) in others.take(MOST).enumerate() {
        let tag = format!("{tag}-{index}");
        let Ok(ready) = world.ready(other, &tag).await else {
            continue;
        };
        let Some(step) = step_on(world, call, &ready) else {
            continue;
        };
        let led = world.call(&ready, &tag).await.ok()?;
        let now = record_of(other, &led).filter(|_| succeeded(&led));
        if now.and_then(state).as_deref() != Some(from) {
            continue;
        }
        let mut sent = world.compose_step(&ready, &step, &tag).ok()?;
        keep_up(&mut sent, &led);
        let done = world.send(sent).await;
        return judge(world, call, (property, from, to), &done, draft);
    }
    None
}

/// Holds the state that a granted step answers against the one that is told.
fn judge<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (property, from, to): (&str, &str, &str),
    done: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let is_granted = succeeded(done) && status(done) != Some(202);
    let record = record_of(call, done).filter(|own| is_granted && !world.model.is_moving(own))?;
    let now = record.get(property)?;
    if now.as_str() != Some(to) {
        let pointer = Pointer::root().join(property);
        let expected = format!("\"{to}\", which one that is {from} becomes");
        let told = world.shown(call, &pointer, Some(now));
        let claim = Claim::new(&checks::STEP_UNDONE, Ground::Text, expected, told).at(pointer);
        world.differ(draft, call, claim, done);
    }
    Some(())
}

/// The states that a sentence leads from, and to: "an `open` order becomes `paid`, a `paid` one `shipped`". Both are written as
/// their values are, and stand in one clause.
fn turns<'s>(sentence: &str, states: &[&'s str]) -> Vec<(&'s str, &'s str)> {
    const DOUBTFUL: [&str; 10] = [
        "if", "when", "may", "can", "not", "never", "unless", "once", "until", "or",
    ];
    let marked = |text: &str| -> Vec<&'s str> {
        let marks = text.split('`').skip(1).step_by(2);
        let known = marks.filter_map(|own| states.iter().copied().find(|state| *state == own));
        known.collect()
    };
    let clauses = sentence.split(", ").flat_map(|own| own.split(" and "));
    let told = clauses.filter_map(|clause| {
        let (before, after) = clause.split_once(" becomes ")?;
        let doubtful = prose::has(&names::words(clause), &DOUBTFUL);
        match (&marked(before)[..], &marked(after)[..]) {
            ([from], [to]) if from != to && !doubtful => Some((*from, *to)),
            _ => None,
        }
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_each_state() {
        let states = ["open", "part_paid", "paid", "void"];
        for (sentence, expected) in [
            (
                "An `open` order becomes `void`, a `part_paid` order becomes `paid`",
                &[("open", "void"), ("part_paid", "paid")][..],
            ),
            (
                "An `open` one becomes `void` and a `paid` one stays",
                &[("open", "void")],
            ),
            ("An `open` order becomes `paid` if all is paid", &[]),
            ("An `open` or `part_paid` order becomes `void`", &[]),
            ("The order becomes `void`", &[]),
            ("An open order becomes void", &[]),
        ] {
            assert_eq!(turns(sentence, &states), expected, "{sentence}");
        }
    }
}
