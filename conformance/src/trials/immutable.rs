//! Immutable: the server must refuse or ignore a change of an immutable property.

use openapi_document::view::Method;
use openapi_document::{Node, Pointer, Value};
use openapi_facts::Fact;
use openapi_facts::rule::Immutable;

use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::case::Step;
use crate::checks::{self, Check};
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Model, Role};
use crate::scene::another_body::wholly_other;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::claim_changes;
use crate::scene::version::set_version_if_asked;
use crate::scene::{Ready, Scene};
use crate::shape::Shape;
use crate::value::{self, unlike};

/// At most this many operations are tried to reach the state, and this many properties are changed.
const MOST: usize = 6;

/// Two valid dates.
const DAYS: [&str; 2] = ["2024-02-26", "2024-02-27"];

/// Operations that change a record.
pub(super) fn applies(_: &Immutable, _: &Model<'_>, call: &Call<'_>) -> bool {
    call.role == Role::Change || call.operation.method == Method::Put
}

/// Tries to change what a fact says is immutable.
pub(super) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Immutable),
    draft: &mut Draft,
) -> Tried {
    if !scene.may_write() {
        return Ok(false);
    }
    let name = rule.subject.name.as_deref();
    let tag = format!(
        "immutable-{}-{}",
        name.unwrap_or_default(),
        rule.after.join("-")
    );
    let (ready, step) = stage(scene, call, (rule, &tag)).await?;
    let sent = scene.compose_step(&ready, &step, &tag)?;
    let kept = scene.send(sent.clone()).await;
    // A record that is immutable as a whole refuses every change.
    if !succeeded(&kept) && name.is_none() {
        refused(scene, call, rule, &kept, draft);
        return Ok(true);
    }
    let now = record_of(call, &kept).cloned();
    let now = now.ok_or_else(|| format!("the change did not succeed: {}", describe(&kept)))?;
    let before = { scene.record_before(call, &ready) }.map(|(_, record)| record.clone());
    let key = key_name(call);
    let keys = key.and_then(|key| before.as_ref()?.get(key).zip(now.get(key)));
    if keys.is_some_and(|(one, other)| !one.same_value(other)) {
        return Err("the change answers another record".to_owned());
    }
    let listed = Shape::of(scene.model.document, call.body.as_ref()).property_names();
    let names = name.map_or_else(|| listed.clone(), |name| vec![name]);
    let mut tried = false;
    for name in names.into_iter().take(MOST) {
        // A property that no request can set must stay the same in any request.
        let was = before.as_ref().and_then(|record| record.get(name));
        let is_kept = !listed.contains(&name) || rule.subject.name.is_none();
        if let Some(was) = was.filter(|was| is_kept && !was.is_null()) {
            let place = (&checks::PATCH_CHANGED_MORE, name);
            changed(scene, call, (fact, rule), (place, was, &kept), draft);
            tried = true;
        }
        let is = now
            .get(name)
            .filter(|is| !is.is_null() && listed.contains(&name));
        if let (Some(was), Some(body)) = (
            before.as_ref().and_then(|record| record.get(name)),
            &sent.json,
        ) && !listed.contains(&name)
        {
            unknown(
                scene,
                call,
                (fact, rule),
                (&step, &sent, &kept),
                (name, was, body),
                draft,
            )
            .await;
        }
        let Some((is, body)) = is.zip(sent.json.as_ref()) else {
            continue;
        };
        let Some(other) = with_other(scene, call, body, (name, is)) else {
            continue;
        };
        let mut sent = sent.clone();
        set_version_if_asked(call, &mut sent, &kept);
        // The refusal must leave the other values as they were, too.
        let both = wholly_other(scene, call, &other);
        scene.put_json(&mut sent, &step, other);
        let exchange = scene.send(sent.clone()).await;
        let place = (&checks::CONSTRAINT_IGNORED, name);
        changed(scene, call, (fact, rule), (place, is, &exchange), draft);
        if let Some(both) = both.filter(|_| !succeeded(&exchange)) {
            scene.put_json(&mut sent, &step, both);
            still_refused(scene, call, (&now, sent), draft).await;
        }
        tried = true;
    }
    let untried = || "no request can change it".to_owned();
    tried.then_some(true).ok_or_else(untried)
}

/// A refused change must leave the record as it was.
async fn still_refused<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (record, sent): (&Node, Sent),
    draft: &mut Draft,
) -> Option<()> {
    let reader = scene.readers_for(call, record, &sent).first().copied()?;
    let before = scene.read(reader, record, &sent).await.ok()?;
    let refused = scene.send(sent.clone()).await;
    if !succeeded(&refused) {
        let after = scene.read(reader, record, &sent).await.ok()?;
        let both = (record_of(reader, &before)?, record_of(reader, &after)?);
        claim_changes(scene, (call, reader), both, &refused, draft);
    }
    Some(())
}

/// The server must refuse the property where the schema of the change forbids it.
async fn unknown<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Immutable),
    (step, sent, kept): (&Step<'d>, &Sent, &Exchange),
    (name, was, body): (&str, &Node, &Node),
    draft: &mut Draft,
) -> Option<()> {
    let mut other = body.clone();
    value::put(&mut other, &Pointer::root().join(name), was.clone()).ok()?;
    let broken = scene
        .contract()
        .validate_request(call.body.as_ref()?, &other);
    broken
        .is_ok_and(|broken| !broken.is_empty())
        .then_some(())?;
    let mut sent = sent.clone();
    set_version_if_asked(call, &mut sent, kept);
    scene.put_json(&mut sent, step, other);
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        let expected = format!("a refusal, as the schema has no `{name}`: {rule}");
        let claim = Claim::new(
            &checks::CONSTRAINT_IGNORED,
            scene.basis(fact),
            expected,
            describe(&exchange),
        );
        let at = Pointer::root().join(name);
        scene.differ(draft, call, claim.at(at), &exchange);
    }
    Some(())
}

/// The property must have its previous value, or the server must refuse the request.
fn changed<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (fact, rule): (&Fact, &Immutable),
    ((check, name), before, exchange): ((&'static Check, &str), &Node, &Exchange),
    draft: &mut Draft,
) {
    let at = Pointer::root().join(name);
    let now = record_of(call, exchange).and_then(|record| record.get(name));
    if now.is_some_and(|now| !now.same_value(before)) {
        let expected = scene.shown(call, &at, Some(before));
        let expected = format!("{expected}, or a refusal: {rule}");
        let actual = scene.shown(call, &at, now);
        let basis = scene.basis(fact);
        let claim = Claim::new(check, basis, expected, actual);
        scene.differ(draft, call, claim.at(at), exchange);
    } else if !succeeded(exchange) {
        refused(scene, call, rule, exchange, draft);
    }
}

/// Compares the refusal of a change with the documented one.
fn refused<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    rule: &Immutable,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    scene.judge_seen(draft, call, exchange, |code| {
        matches!(code, 400 | 409 | 422) || Some(*code) == rule.status
    });
}

/// Brings a record to the state after which it is immutable.
async fn stage<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    (rule, tag): (&Immutable, &str),
) -> Result<(Ready<'w, 'd>, Step<'d>), String> {
    let ready = scene.ready(call, tag).await?;
    let is_there = |record: &Node| {
        let mut observed = record.entries().filter_map(|entry| entry.value.as_str());
        observed.any(|observed| rule.after.iter().any(|state| state == observed))
    };
    let before = scene.record_before(call, &ready);
    if rule.after.is_empty() || before.is_some_and(|(_, record)| is_there(record)) {
        let step = ready.call.clone();
        return Ok((ready, step));
    }
    let kind = call.record().ok_or("the operation answers no record")?;
    let model = scene.model;
    let is_step = |other: &&Call<'d>| {
        let is_of_kind = other.record().is_some_and(|record| record.is(kind));
        let is_other = other.operation.label() != call.operation.label();
        other.role == Role::Change && is_of_kind && is_other && scene.covers(other)
    };
    let steps: Vec<&Call<'d>> = model.calls.iter().filter(is_step).take(MOST).collect();
    for other in steps {
        let tag = format!("{tag}-{}", other.operation.label());
        let Ok(ready) = scene.ready(other, &tag).await else {
            continue;
        };
        let Some(step) = scene.step_on(call, &ready) else {
            continue;
        };
        let done = scene.call(&ready, &tag).await?;
        if status(&done) != Some(202) && record_of(other, &done).is_some_and(is_there) {
            return Ok((ready, step));
        }
    }
    Err(format!("no step leads to {}", rule.after.join(" or ")))
}

/// A valid body with another value of a property. `None` if the schema allows no other value.
fn with_other<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    body: &Node,
    (name, before): (&str, &Node),
) -> Option<Node> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let known = shape.known_values().into_iter().map(value::string);
    let is_day = shape.format() == Some("date");
    let days = DAYS.into_iter().filter(|_| is_day).map(value::string);
    let flipped = match before.value {
        Value::Bool(flag) => Some(value::node(Value::Bool(!flag))),
        _ => None,
    };
    let is_open = shape.known_values().is_empty() && shape.format().is_none();
    let plain = unlike(before).filter(|_| is_open);
    let mut all = known.chain(days).chain(flipped).chain(plain);
    all.find_map(|other| {
        let mut whole = body.clone();
        let is_other = !other.same_value(before);
        value::put(&mut whole, &Pointer::root().join(name), other).ok()?;
        let broken = scene
            .contract()
            .validate_request(call.body.as_ref()?, &whole);
        (is_other && broken.is_ok_and(|broken| broken.is_empty())).then_some(whole)
    })
}
