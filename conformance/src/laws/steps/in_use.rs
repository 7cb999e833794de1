//! In use: what the documented conflict of a deletion names is made, and stands in the way of the deletion.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::Location;

use crate::exchange::Sent;
use crate::model::{Call, Role};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use super::barred::step_on;
use super::blocked::named;
use super::refusal::{settle, with_its_code};
use crate::laws::trial::answered::{record_of, succeeded};
use crate::laws::trial::draft::Draft;
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// This many other operations are tried at most.
const MOST: usize = 4;

/// Words of a condition: a sentence with one is known in part only.
const LIMITS: [&str; 13] = [
    "not", "no", "never", "neither", "unless", "until", "if", "when", "while", "only", "than",
    "which", "that",
];

/// Makes what is said to be in the way of a deletion, and demands that the deletion is refused.
pub(super) async fn look<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<bool> {
    let text = call.text_of(409).filter(|_| call.role == Role::Delete)?;
    let sentences = prose::spoken(text).into_iter();
    let plain = sentences.filter(|words| !prose::has(words, &LIMITS));
    let said: BTreeSet<String> = { plain.flatten() }
        .flat_map(|word| [names::singular(&word), word])
        .collect();
    let is_in_the_way = |other: &&Call<'d>| {
        let is_itself = call.operation.path.starts_with(other.operation.path);
        other.role == Role::Create && !is_itself && is_named(other, &said) && world.covers(other)
    };
    let calls = world.model.calls.iter();
    let all: Vec<&Call<'d>> = calls.filter(is_in_the_way).take(MOST).collect();
    for other in all {
        if of(world, call, (other, &said), draft).await.is_some() {
            return Some(true);
        }
    }
    None
}

async fn of<'d>(
    world: &mut World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, said): (&Call<'d>, &BTreeSet<String>),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("in-use-{}", call.operation.label());
    let ready = world.ready(other, &tag).await.ok()?;
    let step = step_on(world, call, &ready);
    let about = about(world, call, (other, &ready));
    let made = world.call(&ready, "in-use").await.ok()?;
    let record = record_of(other, &made).filter(|_| succeeded(&made))?;
    // What goes on by itself may be out of the way again, and so may be what is in another state than is said.
    let said_states = states(world, other)
        .into_iter()
        .filter(|state| said.contains(&state.to_lowercase()));
    let said_states: Vec<&str> = said_states.collect();
    let state = names::own_state(record.entries().map(|entry| entry.key.as_str()));
    let state = state.and_then(|name| record.get(name)?.as_str());
    let is_another =
        !said_states.is_empty() && !state.is_some_and(|state| said_states.contains(&state));
    if world.model.is_moving(record) || is_another {
        return None;
    }
    let sent = match (&step, &about) {
        (Some(step), _) => world.compose_step(&ready, step, "in-use-delete").ok()?,
        (None, Some((record, with))) => world.compose_read(call, record, with, &[]).ok()?,
        (None, None) => return None,
    };
    let exchange = world.send(sent).await;
    let made = other.operation.label();
    let what = format!("a refusal, as documented: it is in use since `{made}`");
    settle(world, call, (Ground::Refusal(409), what), &exchange, draft);
    with_its_code(world, call, &exchange, draft);
    Some(())
}

/// Whether words name what an operation makes: its record, or what its path calls it.
fn is_named(other: &Call<'_>, said: &BTreeSet<String>) -> bool {
    let record = other.record().map(|record| record.name.as_str());
    let mut kinds = record.into_iter().chain([other.about.as_str()]);
    kinds.any(|kind| {
        let words = names::words(kind);
        !words.is_empty() && words.iter().all(|word| said.contains(word))
    })
}

/// The states of what an operation makes.
fn states<'d>(world: &World<'_, '_, '_, 'd>, other: &Call<'d>) -> Vec<&'d str> {
    let document = world.model.document;
    let shape = Shape::of(document, other.record().map(|record| &record.schema));
    let name = names::own_state(shape.property_names().into_iter());
    name.map_or_else(Vec::new, |name| {
        shape.property(document, name).known_values()
    })
}

/// The record that a call is about, among those that another call names.
fn about<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, ready): (&Call<'d>, &Ready<'_, 'd>),
) -> Option<(Node, Sent)> {
    let parameter = call.path_parameters().last().copied()?;
    let maker = world.model.creator_for(&call.operation, parameter)?;
    let parameters = call.operation.parameters();
    let mut required = parameters.iter().filter(|item| item.required());
    let needs_more = required.any(|item| item.location != Location::Path);
    let is_other = other.operation.label() != maker.operation.label();
    let named = named(world, ready, maker.record()?);
    named.into_iter().next().filter(|_| !needs_more && is_other)
}
