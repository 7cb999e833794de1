//! Merge: a PATCH must leave the properties that it does not name, and set null where it sends null.

use openapi_document::node::Entry;
use openapi_document::view::Method;
use openapi_document::{Mapping, Node, Pointer, Value};

use crate::checks;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::{Call, Record, Role};
use crate::names;
use crate::sample::Extent;
use crate::shape::Shape;
use crate::value;

use super::freshness;
use crate::amount::names_amount;
use crate::answered::{describe, key_name, record_of, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::compare::{Mismatch, tells_of_changes};
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::Unchanged;
use crate::scene::version::set_version;
use crate::scene::{Ready, Scene};

/// Tests an operation that patches a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let is_patch = call.role == Role::Change && call.operation.method == Method::Patch;
    if !is_patch || call.body.is_none() || is_json_patch(call) {
        return Ok(false);
    }
    test_call(scene, call, draft).await.or(Ok(false))
}

/// Whether the body is a JSON Patch (RFC 6902) and not a part of the record.
fn is_json_patch(call: &Call<'_>) -> bool {
    let body = call.operation.request_body();
    let content = body.map(|body| body.content()).unwrap_or_default();
    content
        .iter()
        .any(|media| media.name.starts_with("application/json-patch"))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    let ready = scene.ready(call, "merge").await?;
    let Some((creator, before)) = scene.record_before(call, &ready) else {
        return Ok(false);
    };
    let (creator, created) = (creator.clone(), before.clone());
    let mut sent = scene.compose(&ready, "merge")?;
    let names = settable(scene, call, &creator);
    // The first patch sets as many properties as possible, as only set ones can get lost.
    let full = request::invented_body(scene.contract(), &call.operation, Extent::Full);
    let full = full.as_ref().and_then(|entry| entry.value.plain()).cloned();
    // A unique value, such as an e-mail address, may be in use, so a second body keeps the record's texts.
    let node = full.as_ref().map(|item| with_record_texts(item, &created));
    let bodies = [full.clone(), node, sent.json.clone()];
    let basis = (&creator, &created, bodies);
    let whole = at_once(scene, call, (&ready, &mut sent), basis, draft).await;
    let mut before = whole.unwrap_or_else(|| created.clone());
    // A revision or time that one patch moved must move with each.
    let mut moved = scene.moved_markers(call, &created, &before);
    moved.retain(|difference| differs_each_time(&difference.one));
    let is_timed = moved.iter().any(|difference| is_time(&difference.one));
    let named = sent.json.clone().map(|item| parts(scene, call, &item));
    let named = named
        .filter(|item| !item.is_empty())
        .ok_or("nothing of it can be sent alone")?;
    let more = full.as_ref().map(|item| parts(scene, call, item));
    let more = more.unwrap_or_default().into_iter();
    let more = more.filter(|item| !named.iter().any(|known| is_of(item, known)));
    let more: Vec<Node> = more.collect();
    // A property set to null cannot get lost, so another record is used.
    let mut ready = ready;
    if sent
        .json
        .as_ref()
        .is_some_and(|node| node.entries().any(|entry| entry.value.is_null()))
    {
        ready = scene.ready(call, "merge-whole").await?;
        sent = scene.compose(&ready, "merge-whole")?;
        let created = scene.record_before(call, &ready);
        before = created
            .map(|(_, created)| created.clone())
            .ok_or("no record was created")?;
    }
    for (index, part) in named.iter().chain(&more).enumerate() {
        let part = part.clone();
        scene.put_json(&mut sent, &ready.call, part);
        if is_timed {
            freshness::pass(scene).await;
        }
        let exchange = scene.send(sent.clone()).await;
        let after = record_of(call, &exchange);
        let same = key_name(call)
            .is_some_and(|key| Some(true) == both(&before, after, key, Node::same_value));
        let Some(after) = after.filter(|_| succeeded(&exchange) && same) else {
            if index < named.len() {
                return Ok(false);
            }
            continue;
        };
        compare(scene, call, &names, (&before, &exchange), draft);
        markers_move(scene, call, (&before, &exchange), &moved, draft);
        before = after.clone();
        set_version(&mut sent, &exchange);
    }
    nulls(scene, call, (&ready, &before), &mut sent, draft).await?;
    if draft.is_clean() {
        after_steps(scene, call, draft).await;
    }
    Ok(true)
}

/// Sends the first of some bodies that succeeds and compares the record; returns the record.
async fn at_once<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, sent): (&Ready<'_, 'd>, &mut Sent),
    (creator, created, bodies): (&Call<'d>, &Node, [Option<Node>; 3]),
    draft: &mut Draft,
) -> Option<Node> {
    let mut times = created
        .entries()
        .filter(|entry| tells_of_changes(&entry.key));
    let is_timed = times.any(|entry| is_time(&entry.value));
    let names = settable(scene, call, creator);
    for body in bodies.into_iter().flatten() {
        let mut full = sent.clone();
        scene.put_json(&mut full, &ready.call, body);
        if is_timed {
            freshness::pass(scene).await;
        }
        let before = Unchanged::by(scene, call, (ready, full.clone())).await;
        let first = scene.send(full).await;
        if let Some(before) = before {
            before.check(scene, call, &first, draft).await;
        }
        // A request without a key in its path may change another record than the created one.
        let is_known = |record: &&Node| {
            let same = |key| both(created, Some(record), key, Node::same_value);
            !call.path_parameters().is_empty() || key_name(call).and_then(same) == Some(true)
        };
        let record = record_of(call, &first).filter(is_known);
        if let Some(record) = record.cloned() {
            set_version(sent, &first);
            compare(scene, call, &names, (created, &first), draft);
            is_kept(scene, call, (creator, &names), &first, draft).await;
            return Some(record);
        }
    }
    None
}

/// A body whose texts are replaced by those of the record.
fn with_record_texts(body: &Node, record: &Node) -> Node {
    let mut changed = body.clone();
    if let Value::Mapping(mapping) = &mut changed.value {
        for entry in &mut mapping.entries {
            let text = record
                .get(&entry.key)
                .filter(|node| node.as_str().is_some());
            if let Some(text) = text.filter(|_| entry.value.as_str().is_some()) {
                entry.value = text.clone();
            }
        }
    }
    changed
}

/// A reading must show what the answer to a patch has.
async fn is_kept<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (creator, names): (&Call<'d>, &[&str]),
    patched: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    let record = record_of(call, patched).filter(|_| status(patched) != Some(202))?;
    let kinds = call.record().zip(creator.record());
    kinds.filter(|(one, other)| one.is(other))?;
    let readers = scene.readers_for(creator, record, &patched.sent);
    let reader = readers.first().copied()?;
    let read = scene.read(reader, record, &patched.sent).await.ok()?;
    let after = record_of(reader, &read)?;
    let sent = patched.sent.json.as_ref()?;
    for name in names.iter().filter(|name| sent.get(name).is_some()) {
        let (Some(observed), Some(kept)) = (record.get(name), after.get(name)) else {
            continue;
        };
        if !observed.same_value(kept) {
            let pointer = Pointer::root().join(*name);
            let expected = scene.shown(call, &pointer, Some(observed));
            let expected = format!("{expected}, as in the answer to the patch");
            let kept = scene.shown(reader, &pointer, Some(kept));
            let claim = Claim::new(&checks::READ_DIFFERS, Basis::Names, expected, kept).at(pointer);
            scene.differ(draft, reader, claim, &read);
        }
    }
    Some(())
}

/// From these values on, numbers are times since 1970: in seconds, and in milliseconds.
const SECONDS: i64 = 1_000_000_000;
const MILLISECONDS: i64 = 1_000_000_000_000;

/// Whether a value is a time.
fn is_time(node: &Node) -> bool {
    match &node.value {
        Value::String(text) => text.contains('-') && text.contains(':'),
        Value::Number(text) => text.parse::<i64>().is_ok_and(|item| item >= SECONDS),
        _ => false,
    }
}

/// Whether a value differs between any two changes: not a time in whole seconds.
fn differs_each_time(node: &Node) -> bool {
    match &node.value {
        _ if !is_time(node) => true,
        Value::Number(text) => text.parse::<i64>().is_ok_and(|item| item >= MILLISECONDS),
        _ => node.as_str().is_some_and(|word| word.contains('.')),
    }
}

/// Revisions and modification times must move with each patch that changed something.
fn markers_move<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    (before, exchange): (&Node, &Exchange),
    moved: &[Mismatch],
    draft: &mut Draft,
) -> Option<()> {
    let after = record_of(call, exchange)?;
    if scene.mismatches(call, before, after).is_empty() {
        return None;
    }
    for difference in moved {
        let now = after.at(&difference.pointer).filter(|node| !node.is_null());
        let same = before.at(&difference.pointer).zip(now);
        if same.is_some_and(|(one, other)| one.same_value(other)) {
            let check = if now.is_some_and(is_time) {
                &checks::TIME_STANDS_STILL
            } else {
                &checks::VERSION_STANDS
            };
            let shown = scene.shown(call, &difference.pointer, now);
            let claim = Claim::new(
                check,
                Basis::Names,
                format!("another value than {shown}, as the patch changed the record"),
                shown,
            );
            scene.differ(draft, call, claim.at(difference.pointer.clone()), exchange);
        }
    }
    Some(())
}

/// Whether two bodies have the same properties.
fn is_of(one: &Node, other: &Node) -> bool {
    let names =
        |node: &Node| -> Vec<String> { node.entries().map(|entry| entry.key.clone()).collect() };
    names(one) == names(other)
}

/// At most this many steps are followed by a patch.
const STEPS: usize = 3;

/// A patch without a state must leave the state that a step before it set.
async fn after_steps<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Option<()> {
    let model = scene.model;
    let (kind, key) = (call.record()?, key_name(call)?);
    let says_more = |name: &str| {
        let words = names::words(name);
        let is_time = matches!(
            words.last().map(String::as_str),
            Some("at" | "on" | "date" | "time")
        );
        let is_sum = names_amount(name) && !words.contains(&"quantity".to_owned());
        names::names_state(name) || is_sum || is_time
    };
    let is_step = |call: &&Call<'d>| {
        let is_of_kind = call.record().is_some_and(|record| record.is(kind));
        let is_post = call.operation.method == Method::Post;
        call.role == Role::Change && is_of_kind && is_post && scene.covers(call)
    };
    let steps: Vec<&Call<'d>> = model.calls.iter().filter(is_step).take(STEPS).collect();
    for step in steps {
        let tag = format!("merge-{}", step.operation.label());
        let Ok(ready) = scene.ready(step, &tag).await else {
            continue;
        };
        let Some(patch) = scene.step_on(call, &ready) else {
            continue;
        };
        let Ok(done) = scene.call(&ready, &tag).await else {
            continue;
        };
        let before = record_of(step, &done).filter(|node| !scene.model.is_moving(node));
        let Some(before) = before.filter(|_| status(&done) != Some(202)).cloned() else {
            continue;
        };
        let Ok(mut sent) = scene.compose_step(&ready, &patch, "merge-after") else {
            continue;
        };
        set_version(&mut sent, &done);
        let is_plain = sent
            .json
            .as_ref()
            .is_some_and(|node| !node.entries().any(|entry| says_more(&entry.key)));
        if !is_plain {
            continue;
        }
        let patched = scene.send(sent).await;
        let Some(after) = record_of(call, &patched)
            .filter(|node| both(&before, Some(node), key, Node::same_value) == Some(true))
        else {
            continue;
        };
        let mut states = before
            .entries()
            .filter(|entry| names::names_state(&entry.key));
        let moved = states.find(|entry| {
            let now = after.get(&entry.key);
            now.is_some_and(|now| !now.same_value(&entry.value))
        });
        if let Some(entry) = moved {
            let pointer = Pointer::root().join(entry.key.as_str());
            let claim = Claim::new(
                &checks::PATCH_CHANGED_MORE,
                Basis::Names,
                format!(
                    "{}, as `{}` set it",
                    scene.shown(call, &pointer, Some(&entry.value)),
                    step.operation.label()
                ),
                scene.shown(call, &pointer, after.get(&entry.key)),
            )
            .at(pointer);
            scene.differ(draft, call, claim, &patched);
            return Some(());
        }
    }
    Some(())
}

/// A property that may be null and is set to null must be null or absent.
async fn nulls<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, before): (&Ready<'_, 'd>, &Node),
    last: &mut Sent,
    draft: &mut Draft,
) -> Result<(), String> {
    let (Some(schema), Some(kind)) = (&call.body, call.record()) else {
        return Ok(());
    };
    let shape = Shape::of(scene.model.document, Some(schema));
    let observed = Shape::of(scene.model.document, Some(&kind.schema)).property_names();
    let null = || value::node(Value::Null);
    let is_there = |name: &&str| before.get(name).is_some_and(|node| !node.is_null());
    let names = shape.property_names().into_iter();
    for name in names
        .filter(|name| observed.contains(name))
        .filter(is_there)
    {
        if !may_be_none(scene, kind, before, name)? {
            continue;
        }
        let entries = vec![value::entry(name, null())];
        let body = value::node(Value::Mapping(Mapping { entries }));
        if !scene.contract().validate_request(schema, &body)?.is_empty() {
            continue;
        }
        // If the patch needs a version, the current one is sent.
        let is_versioned = last.header("if-match").is_some();
        let mut sent = if is_versioned {
            last.clone()
        } else {
            scene.compose(ready, "merge-null")?
        };
        scene.put_json(&mut sent, &ready.call, body);
        let exchange = scene.send(sent).await;
        set_version(last, &exchange);
        if let Some(400 | 422) = status(&exchange) {
            if !is_versioned {
                is_refused(scene, call, (ready, before, name), &exchange, draft).await?;
            }
            continue;
        }
        let after = record_of(call, &exchange);
        let Some(value) = after
            .and_then(|node| node.get(name))
            .filter(|node| !node.is_null())
        else {
            continue;
        };
        let pointer = kind.at.join(name);
        let claim = Claim::new(
            &checks::ECHO,
            Basis::Names,
            "null as sent, or an absent property",
            scene.shown(call, &Pointer::root().join(name), Some(value)),
        )
        .at(pointer);
        scene.differ(draft, call, claim, &exchange);
    }
    Ok(())
}

/// Whether a property may be null or absent by the record's schema. Otherwise null may mean "unchanged".
fn may_be_none<'d>(
    scene: &Scene<'_, 'd>,
    kind: &Record<'d>,
    before: &Node,
    name: &str,
) -> Result<bool, String> {
    let (mut null, mut without) = (before.clone(), before.clone());
    value::put(
        &mut null,
        &Pointer::root().join(name),
        value::node(Value::Null),
    )?;
    value::remove(&mut without, name);
    for other in [null, without] {
        if scene
            .contract()
            .validate_answer(&kind.schema, &other)?
            .is_empty()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The server must accept an allowed null, if it accepts the current value in the same request.
async fn is_refused<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, before, name): (&Ready<'_, 'd>, &Node, &str),
    refused: &Exchange,
    draft: &mut Draft,
) -> Result<(), String> {
    let document = scene.model.document;
    let shape = Shape::of(document, call.body.as_ref()).property(document, name);
    let (Some(_), Some(value)) = (shape.type_name(), before.get(name)) else {
        return Ok(());
    };
    let entries = vec![value::entry(name, value.clone())];
    let mut sent = scene.compose(ready, "merge-null")?;
    let body = value::node(Value::Mapping(Mapping { entries }));
    scene.put_json(&mut sent, &ready.call, body);
    if !succeeded(&scene.send(sent).await) {
        return Ok(());
    }
    let claim = Claim::new(
        &checks::VALID_REFUSED,
        Basis::Names,
        "a success: null is allowed",
        describe(refused),
    )
    .at(Pointer::root().join(name));
    scene.differ(draft, call, claim, refused);
    Ok(())
}

fn both(
    one: &Node,
    other: Option<&Node>,
    key: &str,
    holds: fn(&Node, &Node) -> bool,
) -> Option<bool> {
    Some(holds(one.get(key)?, other?.get(key)?))
}

/// The first and the last property of a body that the schema allows alone.
fn parts<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, body: &Node) -> Vec<Node> {
    let Some(schema) = call.body.as_ref() else {
        return Vec::new();
    };
    let alone = |entry: &Entry| {
        let mut part = body.clone();
        if let Value::Mapping(mapping) = &mut part.value {
            mapping.entries.retain(|item| item.key == entry.key);
        }
        let found = scene.contract().validate_request(schema, &part).ok()?;
        found.is_empty().then_some(part)
    };
    let mut alone = body.entries().filter_map(alone);
    alone.next().into_iter().chain(alone.last()).collect()
}

/// The properties that requests set.
fn settable<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, creator: &Call<'d>) -> Vec<&'d str> {
    let properties_of =
        |call: &Call<'d>| Shape::of(scene.model.document, call.body.as_ref()).property_names();
    let mut names = properties_of(creator);
    names.extend(properties_of(call));
    names
}

/// Properties that a patch did not name must not change.
fn compare<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    names: &[&str],
    (before, exchange): (&Node, &Exchange),
    draft: &mut Draft,
) {
    let sent = exchange.sent.json.as_ref();
    let after = record_of(call, exchange);
    for name in names {
        let is_named = sent.is_some_and(|node| node.get(name).is_some());
        let old = before.get(name).filter(|node| !node.is_null());
        let (Some(old), false) = (old, is_named || tells_of_changes(name)) else {
            continue;
        };
        let new = after.and_then(|node| node.get(name));
        if new.is_some_and(|new| new.same_value(old)) {
            continue;
        }
        let pointer = Pointer::root().join(*name);
        let claim = Claim::new(
            &checks::PATCH_CHANGED_MORE,
            Basis::Names,
            format!(
                "{}, which the patch does not name",
                scene.shown(call, &pointer, Some(old))
            ),
            scene.shown(call, &pointer, new),
        )
        .at(pointer);
        scene.differ(draft, call, claim, exchange);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_differ_between_changes() {
        for (value, expected) in [
            (value::string("2026-01-01T00:00:00.123Z"), true),
            (value::string("2026-01-01T00:00:00Z"), false),
            (value::string("a-version"), true),
            (value::number(7), true),
            (value::number(1_790_000_000), false),
            (value::number(1_790_000_000_123_i64), true),
        ] {
            assert_eq!(differs_each_time(&value), expected, "{value:?}");
        }
    }
}
