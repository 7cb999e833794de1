//! Freshness: each record must have its key, and times must move with the events that they show.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use openapi_document::node::Entry;
use openapi_document::view::Method;
use openapi_document::{Node, Pointer};

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::fresh::is_said_unique;
use crate::model::{self, Call, Role};
use crate::names::{self, is_time_of_making};
use crate::shape::Shape;

use crate::amount::Amount;
use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::compare::tells_of_changes;
use crate::scene::draft::{Claim, Draft, Tried};

/// Times in milliseconds differ after this time.
const APART: Duration = Duration::from_millis(25);

/// Tests an operation that creates or changes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let applied = match call.role {
        Role::Create => two_creations(scene, call, draft).await,
        Role::Change => changed(scene, call, draft).await,
        _ => return Ok(false),
    };
    applied.or(Ok(false))
}

/// Two records must have different keys, and the later one must not be older.
async fn two_creations<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let Some(key) = key_name(call) else {
        return Ok(false);
    };
    let ready = scene.ready(call, "freshness-1").await?;
    let first = scene.call(&ready, "first").await?;
    let between = Instant::now();
    let ready = scene.ready(call, "freshness-2").await?;
    scene.pass(APART.saturating_sub(between.elapsed())).await;
    let second = scene.call(&ready, "second").await?;
    let (Some(one), Some(other)) = (record_of(call, &first), record_of(call, &second)) else {
        return Ok(false);
    };
    if may_be_known(&first, &second) {
        return Ok(false);
    }
    let document = scene.model.document;
    let shape = Shape::of(document, call.record().map(|record| &record.schema));
    // Numbers that the server assigns must be unique, too.
    let is_numbered = |name: &&str| {
        let is_sent = first
            .sent
            .json
            .as_ref()
            .is_some_and(|node| node.get(name).is_some());
        !is_sent && *name != key && is_said_unique(&shape.property(document, name))
    };
    let numbered = shape.property_names().into_iter().filter(is_numbered);
    for key in std::iter::once(key).chain(numbered) {
        let (Some(value), Some(again)) = (one.get(key), other.get(key)) else {
            continue;
        };
        // Records of two parents may have the same number.
        let is_nested = !call.path_parameters().is_empty();
        let is_counted = is_nested && value.as_u64().is_some_and(|number| number < 1_000_000);
        if value.is_null() || !value.same_value(again) || is_counted {
            continue;
        }
        let claim = Claim::new(
            &checks::KEY_REUSED,
            Basis::Names,
            "another key than the previous record has",
            scene.shown(call, &Pointer::root().join(key), Some(again)),
        )
        .at(Pointer::root().join(key));
        scene.differ(draft, call, claim, &second);
    }
    for name in times(one, is_time_of_making) {
        older(scene, call, (&name, one, other), &second, draft);
    }
    still_there(scene, call, (one, &first), draft).await?;
    Ok(true)
}

/// A record must still exist with its key after another one was created.
async fn still_there<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (record, created): (&Node, &Exchange),
    draft: &mut Draft,
) -> Result<(), String> {
    let reader = scene.readers_for(call, record, &created.sent);
    let (Some(reader), Some(key)) = (reader.first().copied(), key_name(call)) else {
        return Ok(());
    };
    let read = scene.read(reader, record, &created.sent).await?;
    let value = record_of(reader, &read).and_then(|node| node.get(key));
    let same = value
        .zip(record.get(key))
        .map(|(one, other)| one.same_value(other));
    if same == Some(true) || (same.is_none() && succeeded(&read)) {
        return Ok(());
    }
    let claim = Claim::new(
        &checks::READ_DIFFERS,
        Basis::Name(reader.operation.at.node.span),
        format!(
            "`{}` finds a record after the creation of another one",
            reader.operation.label()
        ),
        if same.is_some() {
            "another record".to_owned()
        } else {
            describe(&read)
        },
    );
    scene.differ(draft, call, claim, &read);
    Ok(())
}

/// Whether the second request may have returned the first record: the requests are equal, and not both answers are
/// 201.
fn may_be_known(first: &Exchange, second: &Exchange) -> bool {
    let same = first.sent.body == second.sent.body && first.sent.url == second.sent.url;
    same && (status(first), status(second)) != (Some(201), Some(201))
}

/// A change must move the modification times.
async fn changed<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "freshness").await?;
    let Some((_, before)) = scene.record_before(call, &ready) else {
        return Ok(false);
    };
    let before = before.clone();
    let is_created = |entry: &Entry| is_time_of_making(&entry.key) && !entry.value.is_null();
    let has_times =
        before.entries().any(is_created) || !times(&before, tells_of_changes).is_empty();
    if !has_times && kept(scene, call, &before).is_empty() {
        return Ok(false);
    }
    scene.pass(APART).await;
    let exchange = scene.call(&ready, "freshness").await?;
    Ok(is_later(scene, call, (&before, &exchange), draft))
}

/// Waits until times in milliseconds differ.
pub(crate) async fn pass(scene: &Scene<'_, '_>) {
    scene.pass(APART).await;
}

/// Checks the times of a changed record. Returns `false` if the answer has another record.
pub(crate) fn is_later<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (before, exchange): (&Node, &Exchange),
    draft: &mut Draft,
) -> bool {
    let Some(after) = record_of(call, exchange) else {
        return false;
    };
    let names = times(before, tells_of_changes);
    let is_created = |entry: &&Entry| is_time_of_making(&entry.key) && !entry.value.is_null();
    let created: Vec<String> = before
        .entries()
        .filter(is_created)
        .map(|entry| entry.key.clone())
        .collect();
    // A child record has other times.
    let same = key_name(call).is_some_and(|key| {
        before
            .get(key)
            .is_some_and(|node| after.get(key).is_some_and(|other| other.same_value(node)))
    });
    if same {
        for name in created {
            let place = (&checks::MADE_ANEW, name.as_str());
            let why = "as at its creation";
            stays(
                scene,
                call,
                (place, why),
                (before, after),
                (exchange, draft),
            );
        }
        let why = "which the step does not set";
        for name in kept(scene, call, before) {
            let place = (&checks::PATCH_CHANGED_MORE, name);
            stays(
                scene,
                call,
                (place, why),
                (before, after),
                (exchange, draft),
            );
        }
        // A request that sets the current values changes nothing.
        if !after.same_value(before) && !asks_for_the_same(call, before, exchange) {
            for name in names {
                older(scene, call, (&name, before, after), exchange, draft);
            }
        }
        is_of_step(scene, call, (before, after), (exchange, draft));
    }
    same
}

/// Whether a PATCH sends only values that the record already has.
fn asks_for_the_same(call: &Call<'_>, before: &Node, exchange: &Exchange) -> bool {
    let is_same = |entry: &Entry| match before.get(&entry.key) {
        Some(before) => before.same_value(&entry.value),
        None => entry.value.is_null(),
    };
    let requested = exchange.sent.json.as_ref();
    call.operation.method == Method::Patch
        && requested.is_some_and(|node| node.entries().all(is_same))
}

/// The time of a step must be later than the creation, if it has milliseconds.
fn is_of_step<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (before, after): (&Node, &Node),
    (exchange, draft): (&Exchange, &mut Draft),
) {
    let verb = names::words(model::collection(call.operation.path));
    let [verb] = &verb[..] else { return };
    let is_step = call.role == Role::Change && call.operation.method == Method::Post;
    if !is_step || model::names_one(call.operation.path) {
        return;
    }
    let created = times(before, is_time_of_making);
    let [created] = &created[..] else { return };
    let is_new = |name: &String| before.get(name).is_some_and(Node::is_null);
    let of_step = times(after, |name| is_time_of(name, verb)).into_iter();
    for name in of_step.filter(is_new) {
        let (one, other) = (before.get(created), after.get(&name));
        let (Some(one), Some(other)) = (
            one.and_then(Node::as_str),
            other
                .and_then(Node::as_str)
                .filter(|word| word.contains('.')),
        ) else {
            continue;
        };
        if one.len() == other.len() && other <= one {
            let claim = Claim::new(
                &checks::TIME_STANDS_STILL,
                Basis::Names,
                format!("the time of `{}`, after {one}", call.operation.label()),
                other.to_owned(),
            )
            .at(Pointer::root().join(name.as_str()));
            scene.differ(draft, call, claim, exchange);
        }
    }
}

/// Whether a property is the time of a step: `cancelled_at`.
fn is_time_of(name: &str, verb: &str) -> bool {
    let words = names::words(name);
    let is_last = |word: &str| matches!(word, "at" | "on" | "time");
    matches!(&words[..], [word, last] if is_last(last) && names::is_done(word, verb))
        || names::is_time_of_verb(&words, &[verb])
}

/// The properties that a step must not change: free texts and maps that the creating request sets. For a step with a
/// body, those that neither its body nor its text mentions.
fn kept<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, before: &Node) -> Vec<&'d str> {
    if call.operation.method != Method::Post {
        return Vec::new();
    }
    let document = scene.model.document;
    let key = key_name(call);
    let kind = call.record();
    let creators = scene.model.of(Role::Create);
    let creators = creators.filter(|call| call.record().zip(kind).is_some_and(|(a, b)| a.is(b)));
    let shapes = creators.map(|call| Shape::of(document, call.body.as_ref()));
    let is_free = |shape: &Shape<'d>, name: &str| {
        let property = shape.property(document, name);
        let is_text = property.type_name() == Some("string") && property.known_values().is_empty();
        let is_map = property.type_name() == Some("object") && !property.lists_properties();
        let is_plain =
            matches!(property.format(), None | Some("email")) && !property.flag("writeOnly");
        let has_it = before.get(name).is_some_and(|node| !node.is_null());
        (is_text || is_map)
            && is_plain
            && has_it
            && Some(name) != key
            && !speaks_of(scene, call, name)
    };
    let all = shapes.flat_map(|shape| {
        let names = shape.property_names().into_iter();
        names
            .filter(|name| is_free(&shape, name))
            .collect::<Vec<_>>()
    });
    let all: BTreeSet<&str> = all.collect();
    let is_amount = |name: &str| before.get(name).and_then(Amount::read).is_some();
    all.into_iter().filter(|name| !is_amount(name)).collect()
}

/// Whether a step with a body may change a property: its body or text has a word of the name, or the property is a
/// key.
fn speaks_of<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, name: &str) -> bool {
    if call.body.is_none() {
        return false;
    }
    let words = names::words(name);
    let body = Shape::of(scene.model.document, call.body.as_ref());
    let names = body.property_names().into_iter().flat_map(names::words);
    let mut said = call.spoken().into_iter().flatten().chain(names);
    names::subject(name).is_some() || said.any(|word| words.contains(&word))
}

/// A value must not change.
fn stays<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ((check, name), why): ((&'static Check, &str), &str),
    (one, other): (&Node, &Node),
    (exchange, draft): (&Exchange, &mut Draft),
) {
    let Some(value) = one.get(name) else {
        return;
    };
    // An absent creation time says nothing.
    let other = other.get(name);
    if other.is_none() && check == &checks::MADE_ANEW {
        return;
    }
    if !other.is_some_and(|other| other.same_value(value)) {
        let pointer = Pointer::root().join(name);
        let claim = Claim::new(
            check,
            Basis::Names,
            format!("{}, {why}", scene.shown(call, &pointer, Some(value))),
            scene.shown(call, &pointer, other),
        )
        .at(pointer);
        scene.differ(draft, call, claim, exchange);
    }
}

/// A later time must not be earlier; with milliseconds it must have moved.
fn older<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (name, one, other): (&str, &Node, &Node),
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let (Some(one), Some(other)) = (
        one.get(name).and_then(Node::as_str),
        other.get(name).and_then(Node::as_str),
    ) else {
        return;
    };
    // UTC times of equal length compare like their texts.
    if one.len() != other.len() {
        return;
    }
    let fine = one.contains('.');
    if other < one || (fine && other == one) {
        let claim = Claim::new(
            &checks::TIME_STANDS_STILL,
            Basis::Names,
            format!("a time after {one}"),
            other.to_owned(),
        )
        .at(Pointer::root().join(name));
        scene.differ(draft, call, claim, exchange);
    }
}

/// The properties of a record with RFC 3339 times in UTC whose names meet a condition.
pub(crate) fn times(record: &Node, is_kind: impl Fn(&str) -> bool) -> Vec<String> {
    let is_time = |node: &Node| {
        let text = node.as_str().unwrap_or_default();
        text.len() >= 20 && text.ends_with('Z') && text.as_bytes().get(10) == Some(&b'T')
    };
    let of_kind = record
        .entries()
        .filter(|entry| is_kind(&entry.key) && is_time(&entry.value));
    of_kind.map(|entry| entry.key.clone()).collect()
}
