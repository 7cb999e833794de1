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
use crate::answered::{record_of, succeeded};
use crate::scene::draft::Draft;
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// This many other operations are tried at most.
const MOST: usize = 4;

/// Words that a sentence may have beside the names of records and of their states. One that has others says more than is
/// understood here.
const PLAIN: [&str; 24] = [
    "the", "a", "an", "this", "it", "its", "there", "is", "are", "has", "have", "still", "in",
    "use", "used", "by", "of", "or", "and", "any", "some", "with", "exist", "exists",
];

/// Makes what is said to be in the way of a deletion, and demands that the deletion is refused.
pub(super) async fn look<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<bool> {
    let text = call.text_of(409).filter(|_| call.role == Role::Delete)?;
    let sentences = prose::spoken(text);
    let makes = |other: &&Call<'d>| {
        let is_itself = call.operation.path.starts_with(other.operation.path);
        other.role == Role::Create && !is_itself && scene.covers(other)
    };
    let makers: Vec<&Call<'d>> = scene.model.calls.iter().filter(makes).collect();
    let mut known: BTreeSet<String> = PLAIN.map(str::to_owned).into();
    known.extend(names_of(call));
    for other in &makers {
        known.extend(names_of(other));
        known.extend(states(scene, other).into_iter().map(str::to_lowercase));
    }
    let is_known = |word: &String| known.contains(word) || known.contains(&names::singular(word));
    let whole = sentences
        .into_iter()
        .filter(|words| words.iter().all(is_known));
    let said: BTreeSet<String> = { whole.flatten() }
        .flat_map(|word| [names::singular(&word), word])
        .collect();
    let is_in_the_way = |other: &&Call<'d>| is_named(other, &said);
    let all = makers.into_iter().filter(is_in_the_way).take(MOST);
    let all: Vec<&Call<'d>> = all.collect();
    for other in all {
        if of(scene, call, (other, &said), draft).await.is_some() {
            return Some(true);
        }
    }
    None
}

async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, said): (&Call<'d>, &BTreeSet<String>),
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("in-use-{}", call.operation.label());
    let ready = scene.ready(other, &tag).await.ok()?;
    let step = step_on(scene, call, &ready);
    let about = about(scene, call, (other, &ready));
    let made = scene.call(&ready, "in-use").await.ok()?;
    let record = record_of(other, &made).filter(|_| succeeded(&made))?;
    // What goes on by itself may be out of the way again, and so may be what is in another state than is said.
    let said_states = states(scene, other)
        .into_iter()
        .filter(|state| said.contains(&state.to_lowercase()));
    let said_states: Vec<&str> = said_states.collect();
    let state = names::own_state(record.entries().map(|entry| entry.key.as_str()));
    let state = state.and_then(|name| record.get(name)?.as_str());
    let is_another =
        !said_states.is_empty() && !state.is_some_and(|state| said_states.contains(&state));
    if scene.model.is_moving(record) || is_another {
        return None;
    }
    let sent = match (&step, &about) {
        (Some(step), _) => scene.compose_step(&ready, step, "in-use-delete").ok()?,
        (None, Some((record, with))) => scene.compose_read(call, record, with, &[]).ok()?,
        (None, None) => return None,
    };
    let exchange = scene.send(sent).await;
    let made = other.operation.label();
    let what = format!("a refusal, as documented: it is in use since `{made}`");
    settle(scene, call, (Ground::Refusal(409), what), &exchange, draft);
    with_its_code(scene, call, &exchange, draft);
    Some(())
}

/// Whether words name what an operation makes: its record, or what its path calls it.
fn is_named(other: &Call<'_>, said: &BTreeSet<String>) -> bool {
    kinds(other)
        .into_iter()
        .any(|words| !words.is_empty() && words.iter().all(|word| said.contains(word)))
}

/// The words for the record of an operation.
fn names_of(call: &Call<'_>) -> impl Iterator<Item = String> + use<> {
    kinds(call).into_iter().flatten()
}

/// The name of the record of an operation, and what its path calls it, in words.
fn kinds(call: &Call<'_>) -> Vec<Vec<String>> {
    let record = call.record().map(|record| record.name.as_str());
    let kinds = record.into_iter().chain([call.about.as_str()]);
    kinds.map(names::words).collect()
}

/// The states of what an operation makes.
fn states<'d>(scene: &Scene<'_, '_, '_, 'd>, other: &Call<'d>) -> Vec<&'d str> {
    let document = scene.model.document;
    let shape = Shape::of(document, other.record().map(|record| &record.schema));
    let name = names::own_state(shape.property_names().into_iter());
    name.map_or_else(Vec::new, |name| {
        shape.property(document, name).known_values()
    })
}

/// The record that a call is about, among those that another call names.
fn about<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (other, ready): (&Call<'d>, &Ready<'_, 'd>),
) -> Option<(Node, Sent)> {
    let parameter = call.path_parameters().last().copied()?;
    let maker = scene.model.creator_for(&call.operation, parameter)?;
    let parameters = call.operation.parameters();
    let mut required = parameters.iter().filter(|item| item.required());
    let needs_more = required.any(|item| item.location != Location::Path);
    let is_other = other.operation.label() != maker.operation.label();
    let named = named(scene, ready, maker.record()?);
    named.into_iter().next().filter(|_| !needs_more && is_other)
}
