//! Barred: an operation must be refused in the states in which facts bar it.

use std::collections::BTreeSet;

use openapi_document::Node;
use openapi_document::view::Method;

use crate::case::Step;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Role};
use crate::recipe::Recipe;
use crate::shape::Shape;

use super::barring_states::BarringStates;
use super::place::{asking, place};
use super::refusal::{settle, with_its_code};
use crate::amount::{self, Amount};
use crate::answered::{record_of, status, succeeded};
use crate::scene::draft::{Draft, Tried};
use crate::scene::key::{header, set_key};
use crate::scene::unchanged::Unchanged;
use crate::scene::version::set_version;
use crate::scene::{Ready, Scene};

/// At most this many other steps are tried.
const MOST: usize = 4;

/// At most this many further examples of another step are tried.
const EXAMPLES: usize = 2;

/// Tests an operation on records in states that bar it.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let may_be = matches!(call.role, Role::Create | Role::Change | Role::Delete);
    if !may_be || !scene.may_write() {
        return Ok(false);
    }
    let is_barred = scene.facts.barred(&call.operation.label()).next().is_some();
    Ok(is_barred && test_call(scene, call, draft).await == Some(true))
}

/// The tested states, each with the step that led there.
type Seen = BTreeSet<(String, String)>;

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<bool> {
    let model = scene.model;
    let item = scene.ready(call, "barred").await.ok()?;
    let states = BarringStates::of(scene, call, &item)?;
    let kind = states.creator.record()?;
    let is_other = |other: &&Call<'d>| {
        let is_of_kind = other.record().is_some_and(|record| record.is(kind));
        let is_change = other.role == Role::Change && other.operation.method == Method::Post;
        (is_change || other.is_step()) && is_of_kind && scene.covers(other)
    };
    // A creation below a record may change its state, too: a delivery of an order.
    let is_under = |other: &&Call<'d>| {
        let path = other.operation.path;
        let is_child = model.readers(kind).iter().any(|reader| {
            let rest = path.strip_prefix(reader.operation.path);
            rest.is_some_and(|rest| rest.matches('/').count() == 1 && !rest.contains('{'))
        });
        let is_other = other.operation.label() != call.operation.label();
        other.role == Role::Create && is_child && is_other && scene.covers(other)
    };
    let steps = model.calls.iter().filter(is_other).take(MOST);
    let created = model.calls.iter().filter(is_under).take(MOST);
    let others: Vec<&Call<'d>> = steps.chain(created).collect();
    let mut seen = Seen::new();
    for (index, other) in others.into_iter().enumerate() {
        let tag = format!("barred-{}-{index}", call.operation.label());
        let Ok(mut ready) = scene.ready(other, &tag).await else {
            continue;
        };
        // The call may need a value that the steps before the other step do not answer, such as a version.
        let step = scene.step_on(call, &ready);
        let step = step.filter(|item| scene.compose_step(&ready, item, "barred-call").is_ok());
        let steps = |item: &Ready<'_, 'd>| item.state.kept.as_ref().map_or(0, Vec::len);
        if step.is_none() || steps(&item) > steps(&ready) {
            // The call needs more preparation than the other step.
            after_other(scene, (call, other), (&states, &mut seen), draft).await;
        }
        let Some(step) = step else {
            continue;
        };
        let before = scene.current_record(other, &ready).await;
        if let Some(state) = before.and_then(|record| states.barring(&record))
            && seen.insert((state.clone(), String::new()))
        {
            attempt(scene, call, (&ready, &step, &state), draft).await;
            // The attempt may have changed the record, so the other step needs a new one.
            let Ok(again) = scene.ready(other, &format!("{tag}-again")).await else {
                continue;
            };
            ready = again;
        }
        let tried = (&states, &mut seen);
        once_done(scene, (call, other), (&ready, &step), tried, draft).await;
        by_examples(scene, (call, other), (&states, &mut seen), draft).await;
    }
    each_named(scene, call, (&states, &mut seen), draft).await;
    as_set(scene, call, (&states, &mut seen), draft).await;
    as_created(scene, call, (&states, &mut seen), draft).await;
    Some(!seen.is_empty())
}

/// Tests the call after further examples of the other step: after a partial capture, if the first example is a full
/// one.
async fn by_examples<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, other): (&Call<'d>, &Call<'d>),
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) {
    let granted = scene.chosen(other).and_then(|recipe| recipe.example);
    let is_further = |recipe: &&Recipe<'d>| recipe.example.is_some() && recipe.example != granted;
    let may_be = other.role == Role::Change && other.body.is_some() && granted.is_some();
    let recipes = scene.recipes(other).into_iter().filter(|_| may_be);
    let recipes: Vec<_> = recipes.filter(is_further).take(EXAMPLES).collect();
    for (index, recipe) in recipes.into_iter().enumerate() {
        let tag = format!("barred-{}-by-{index}", other.operation.label());
        let Ok(ready) = scene.prepare(recipe, &tag).await else {
            continue;
        };
        let Some(step) = scene.step_on(call, &ready) else {
            continue;
        };
        let tried = (states, &mut *seen);
        once_done(scene, (call, other), (&ready, &step), tried, draft).await;
    }
}

/// Takes the other step, then tests the call if the new state bars it.
async fn once_done<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, other): (&Call<'d>, &Call<'d>),
    (ready, step): (&Ready<'_, 'd>, &Step<'d>),
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) {
    let Ok(done) = scene.call(ready, "barred").await else {
        return;
    };
    let after = after(scene, (other, ready), &done).await;
    if let Some(state) = after.and_then(|record| states.barring(&record))
        && seen.insert((state.clone(), other.operation.label()))
    {
        attempt_after(scene, call, (ready, step, &state), &done, draft).await;
    }
}

/// Tests the call with each of several records that it names in a barring state, such as the receiver of a transfer.
async fn each_named<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) -> Option<()> {
    let kind = states.creator.record()?;
    let is_step = |other: &&Call<'d>| {
        let is_of_kind = other.record().is_some_and(|record| record.is(kind));
        other.role == Role::Change && other.body.is_none() && is_of_kind
    };
    let model = scene.model;
    for other in model.calls.iter().filter(is_step).take(MOST) {
        let label = other.operation.label();
        let tag = format!("barred-named-{label}");
        let ready = scene.ready(call, &tag).await.ok()?;
        let with = scene.compose(&ready, &tag).ok()?;
        let named = scene.named_before(call, &ready, &with).into_iter();
        let named = named.filter(|(creator, _)| creator.record().is_some_and(|one| one.is(kind)));
        let named: Vec<Node> = named.map(|(_, record)| record.clone()).collect();
        for (index, record) in named.iter().enumerate().filter(|_| named.len() > 1) {
            let tag = format!("{tag}-{index}");
            let ready = scene.ready(call, &tag).await.ok()?;
            let with = scene.compose(&ready, &tag).ok()?;
            let again = scene.named_before(call, &ready, &with).into_iter();
            let mut again =
                again.filter(|(creator, _)| creator.record().is_some_and(|one| one.is(kind)));
            let record = again
                .nth(index)
                .map_or_else(|| record.clone(), |(_, record)| record.clone());
            let sent = scene.compose_read(other, &record, &with, &[]).ok()?;
            let done = scene.send(sent).await;
            let after = record_of(other, &done).filter(|_| succeeded(&done));
            if let Some(state) = after.and_then(|record| states.barring(record))
                && seen.insert((state.clone(), tag))
            {
                let step = ready.call.clone();
                attempt(scene, call, (&ready, &step, &state), draft).await;
            }
        }
    }
    Some(())
}

/// Tests the call on records in states that a change can set.
async fn as_set<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) -> Option<()> {
    let model = scene.model;
    let kind = states.creator.record()?;
    let sets = |other: &&Call<'d>| {
        let is_same = other.operation.label() == call.operation.label();
        !is_same && other.record().is_some_and(|record| record.is(kind)) && scene.covers(other)
    };
    let all: Vec<&Call<'d>> = model.calls.iter().filter(sets).collect();
    for other in all {
        let Some(place) = place(scene, other).filter(|_| other.role == Role::Change) else {
            continue;
        };
        for (index, state) in place.values.iter().copied().enumerate() {
            let label = other.operation.label();
            let is_new = !seen.contains(&(state.to_owned(), label.clone()));
            if !is_new || !states.bars(state) {
                continue;
            }
            let tag = format!("barred-set-{label}-{index}");
            let ready = scene.ready(call, &tag).await.ok()?;
            let step = scene.step_on(other, &ready)?;
            let sent = scene.compose_step(&ready, &step, &tag).ok()?;
            let Some(sent) = asking(scene, other, (&step, &place, state), sent) else {
                continue;
            };
            let set = scene.send(sent).await;
            let is_set = place.is_stated(other, &set, state);
            if is_set && seen.insert((state.to_owned(), label)) {
                let step = ready.call.clone();
                attempt_after(scene, call, (&ready, &step, state), &set, draft).await;
            }
        }
    }
    Some(())
}

/// Tests the call on records that other requests of their creator leave in a barring state.
async fn as_created<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) -> Option<()> {
    before_all(scene, call, (states, seen), draft).await;
    let body = call.operation.request_body();
    body.is_none().then_some(())?;
    let creator = states.creator;
    for (index, recipe) in scene.recipes(creator).into_iter().enumerate().take(MOST) {
        let tag = format!("barred-made-{}-{index}", call.operation.label());
        let Ok(ready) = scene.prepare(recipe, &tag).await else {
            continue;
        };
        let Ok(created) = scene.call(&ready, &tag).await else {
            continue;
        };
        let Some(record) = record_of(creator, &created).cloned() else {
            continue;
        };
        let Some(state) = states.barring(&record) else {
            continue;
        };
        if !seen.insert((state.clone(), creator.operation.label())) {
            continue;
        }
        if let Ok(sent) = scene.compose_read(call, &record, &created.sent, &[]) {
            let exchange = scene.send(sent).await;
            let what = format!("a refusal, as documented for the state {state}");
            let fact = scene.facts.barring(&call.operation.label(), &state)?;
            let basis = scene.basis(fact);
            settle(scene, call, (basis, what), &exchange, draft);
            with_its_code(scene, call, &exchange, draft);
        }
    }
    Some(())
}

/// Tests the call on a new record, without the steps that usually lead to it.
async fn before_all<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) -> Option<()> {
    let recipe = scene.chosen(call)?;
    let (step, before) = recipe.split()?;
    let label = states.creator.operation.label();
    let created = before
        .iter()
        .rposition(|step| step.name.operation == label)?;
    let tag = format!("barred-first-{}", call.operation.label());
    let ready = scene
        .prepare_by(recipe, &before[..=created], &tag)
        .await
        .ok()?;
    let (_, record) = scene.record_before(call, &ready)?;
    let state = states.barring(record)?;
    if seen.insert((state.clone(), label)) {
        attempt(scene, call, (&ready, step, &state), draft).await;
    }
    Some(())
}

/// The record after a step on it, or after a creation below it.
async fn after<'d>(
    scene: &mut Scene<'_, 'd>,
    (other, ready): (&Call<'d>, &Ready<'_, 'd>),
    done: &Exchange,
) -> Option<Node> {
    if !succeeded(done) || status(done) == Some(202) {
        return None;
    }
    if other.role == Role::Change || other.is_step() {
        return record_of(other, done).cloned();
    }
    let (creator, record) = scene.record_before(other, ready)?;
    let readers = scene.readers_for(creator, record, &done.sent);
    let reader = readers.first().copied()?;
    let read = scene.read(reader, record, &done.sent).await.ok()?;
    record_of(reader, &read).cloned()
}

/// Takes the other step on the record that the call prepared, then tests the call.
async fn after_other<'d>(
    scene: &mut Scene<'_, 'd>,
    (call, other): (&Call<'d>, &Call<'d>),
    (states, seen): (&BarringStates<'_, 'd>, &mut Seen),
    draft: &mut Draft,
) -> Option<()> {
    let kinds = other.record().zip(states.creator.record());
    kinds.filter(|(one, other)| one.is(other))?;
    let tag = format!("barred-{}", other.operation.label());
    let ready = scene.ready(call, &tag).await.ok()?;
    let step = scene.step_on(other, &ready)?;
    let sent = scene.compose_step(&ready, &step, "barred").ok()?;
    let done = scene.send(sent).await;
    let after = record_of(other, &done).filter(|_| status(&done) != Some(202))?;
    let state = states.barring(after)?;
    if seen.insert((state.clone(), other.operation.label())) {
        let step = ready.call.clone();
        attempt_after(scene, call, (&ready, &step, &state), &done, draft).await;
    }
    Some(())
}

async fn attempt<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    tried: (&Ready<'_, 'd>, &Step<'d>, &str),
    draft: &mut Draft,
) -> Option<()> {
    let sent = scene.compose_step(tried.0, tried.1, "barred-call").ok()?;
    refused(scene, call, (tried.0, sent, tried.2), draft).await?;
    each_kind(scene, call, (tried.0, tried.1, tried.2), draft).await
}

/// Other kinds of requests must be refused in the state, too.
async fn each_kind<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, step, state): (&Ready<'_, 'd>, &Step<'d>, &str),
    draft: &mut Draft,
) -> Option<()> {
    let all = scene.other_kinds(call, (ready, step));
    for (index, other) in all.iter().enumerate() {
        let tag = format!("barred-kind-{index}");
        let sent = scene.compose_step(ready, other, &tag).ok()?;
        if draft.is_clean() {
            refused(scene, call, (ready, sent, state), draft).await?;
        }
    }
    Some(())
}

/// Like [`attempt`], with the version that the last step left.
async fn attempt_after<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    tried: (&Ready<'_, 'd>, &Step<'d>, &str),
    done: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let mut sent = scene.compose_step(tried.0, tried.1, "barred-call").ok()?;
    set_version(&mut sent, done);
    if sent.header("if-match").is_some()
        && let Some((creator, record)) = scene.record_before(call, tried.0)
    {
        let record = record.clone();
        let reader = scene.readers_for(creator, &record, &done.sent);
        if let Some(reader) = reader.first().copied() {
            set_version(
                &mut sent,
                &scene.read(reader, &record, &done.sent).await.ok()?,
            );
        }
    }
    refused(scene, call, (tried.0, sent, tried.2), draft).await?;
    each_kind(scene, call, (tried.0, tried.1, tried.2), draft).await
}

async fn refused<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, sent, state): (&Ready<'_, 'd>, Sent, &str),
    draft: &mut Draft,
) -> Option<()> {
    // A refused request must have no partial effect.
    let before = match &call.body {
        Some(_) => Box::pin(Unchanged::by(scene, call, (ready, sent.clone()))).await,
        None => None,
    };
    let exchange = scene.send(sent.clone()).await;
    if let Some(before) = before.filter(|_| !succeeded(&exchange)) {
        Box::pin(before.check(scene, call, &exchange, draft)).await;
    }
    let what = format!("a refusal, as documented for the state {state}");
    let fact = scene.facts.barring(&call.operation.label(), state)?;
    let basis = scene.basis(fact);
    settle(scene, call, (basis.clone(), what.clone()), &exchange, draft);
    with_its_code(scene, call, &exchange, draft);
    // With the smallest amount, only the state can be the reason of the refusal.
    if status(&exchange) == Some(422) && call.response(409).is_some() {
        let sent = with_smallest_amount(scene, call, ready, sent)?;
        let exchange = scene.send(sent).await;
        settle(scene, call, (basis, what), &exchange, draft);
    }
    Some(())
}

/// The request with the smallest amount that its schema allows, and a fresh key.
fn with_smallest_amount<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    mut sent: Sent,
) -> Option<Sent> {
    let mut json = sent.json.clone()?;
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let names: Vec<String> = json.entries().map(|entry| entry.key.clone()).collect();
    let name = names.into_iter().find(|name| amount::names_amount(name))?;
    let amount = json.get(&name).and_then(Amount::read)?;
    let bound = shape.property(scene.model.document, &name);
    let least = bound.keyword("minimum").and_then(Amount::read);
    let least = amount.with(least.map_or(1, |amount| amount.units.max(1)));
    amount::put(&mut json, &name, least).ok()?;
    let schema = call.body.as_ref()?;
    let broken = scene.contract().validate_request(schema, &json).ok()?;
    broken.is_empty().then_some(())?;
    sent.put_json(scene.model.document, Some(schema), json);
    if let Some(name) = header(scene, call) {
        set_key(
            &mut sent,
            name,
            ready.state.fresh.fork("barred-least").uuid(),
        );
    }
    Some(sent)
}
