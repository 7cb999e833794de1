//! Constraints: the server must refuse a request that breaks one keyword of its schema, and not execute it.

use openapi_document::node::Entry;
use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::collect::request;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::mutation::{Mutation, mutations};
use crate::sample::Extent;
use crate::shape::Shape;
use crate::value;

use super::{line_total, syntax};
use crate::answered::{describe, is_conflict, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::echo::check_echo;
use crate::scene::{Ready, Scene};

/// Keywords that limit a number.
const BOUNDS: [&str; 4] = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];

/// Keys up to this length are likely to be in use.
const SHORT: usize = 4;

/// Tests an operation with a body.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.body.is_none() {
        return Ok(false);
    }
    if !call.refuses_content() {
        return Ok(false);
    }
    test_call(scene, call, draft).await.map(|()| true)
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let ready = scene.ready(call, "constraints").await?;
    let valid = scene.compose(&ready, "valid")?;
    let (Some(body), Some(schema)) = (&valid.json, &call.body) else {
        return Err("the call has no JSON body".to_owned());
    };
    if valid.encoding.tells_its_end() {
        syntax::check(scene, call, &ready, draft).await?;
    }
    let all = mutations(scene.contract(), schema, (body, &valid.encoding));
    let mut refused = None;
    let mut was_granted = false;
    for (index, mutation) in all.iter().enumerate() {
        let tag = format!("constraints-{index}");
        match try_one(scene, call, &ready, (body, mutation, &tag), draft).await? {
            Tries::Granted => was_granted = true,
            Tries::Refused => refused = Some(tag),
            Tries::Unclear => {}
        }
    }
    left_out(scene, call, body, draft).await?;
    of_kinds(scene, call, (body, &all), draft).await?;
    // A broken request that was executed may have changed the record.
    match refused.filter(|_| !was_granted) {
        Some(tag) => has_no_effect(scene, call, &ready, &tag, draft).await,
        None => Ok(()),
    }
}

/// Also breaks requests of another kind: the reason of a withdrawal, which a deposit does not have.
async fn of_kinds<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (first, tried): (&Node, &[Mutation]),
    draft: &mut Draft,
) -> Result<(), String> {
    let is_tried = |mutation: &Mutation| {
        let is_it = |other: &Mutation| {
            mutation.pointer == other.pointer && mutation.keyword == other.keyword
        };
        tried.iter().any(is_it)
    };
    let Some(schema) = &call.body else {
        return Ok(());
    };
    for (ready, granted) in scene
        .successes_of_other_kinds(call, "constraints-kind")
        .await
    {
        let Some(body) = &granted.sent.json else {
            continue;
        };
        let all = mutations(scene.contract(), schema, (body, &granted.sent.encoding));
        // Properties that the first request lacks were not tested with it.
        let is_same = |at: &Pointer| first.at(at).is_none() && body.at(at).is_some();
        let is_new = |mutation: &&Mutation| !is_tried(mutation) || is_same(&mutation.pointer);
        for (index, mutation) in all.iter().filter(is_new).enumerate() {
            let tag = format!("constraints-kind-{index}");
            try_one(scene, call, &ready, (body, mutation, &tag), draft).await?;
        }
    }
    Ok(())
}

/// Also breaks properties that the example omits, if the server accepts them.
async fn left_out<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    body: &Node,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(schema) = &call.body else {
        return Ok(());
    };
    let contract = scene.contract();
    let whole = request::invented_body(contract, &call.operation, Extent::Full);
    let more = whole.as_ref().and_then(|entry| entry.value.plain());
    let is_new = |entry: &&Entry| body.get(&entry.key).is_none();
    let more: Vec<Entry> = match more {
        Some(node) => node.entries().filter(is_new).cloned().collect(),
        None => Vec::new(),
    };
    for entry in more {
        let tag = format!("constraints-{}", entry.key);
        let ready = scene.ready(call, &tag).await?;
        let mut sent = scene.compose(&ready, &tag)?;
        let Some(mut whole) = sent.json.clone() else {
            continue;
        };
        let pointer = Pointer::root().join(entry.key.as_str());
        let is_plain = entry.value.as_mapping().is_none();
        if value::put(&mut whole, &pointer, entry.value).is_err() {
            continue;
        }
        scene.put_json(&mut sent, &ready.call, whole.clone());
        let granted = scene.send(sent).await;
        if !succeeded(&granted) {
            continue;
        }
        // An answer may show only a part of a nested record.
        if is_plain {
            check_echo(scene, call, &granted, draft);
        }
        let ready = scene.ready(call, &format!("{tag}-broken")).await?;
        let all = mutations(contract, schema, (&whole, &granted.sent.encoding));
        let is_same = |mutation: &&Mutation| {
            mutation
                .pointer
                .segments()
                .next()
                .is_some_and(|first| first == entry.key)
        };
        for (index, mutation) in all.iter().filter(is_same).enumerate() {
            let tag = format!("{tag}-{index}");
            try_one(scene, call, &ready, (&whole, mutation, &tag), draft).await?;
        }
    }
    Ok(())
}

/// How the server answered a broken request.
enum Tries {
    Granted,
    /// It refused the broken keyword of a request that had all natural keys.
    Refused,
    Unclear,
}

/// Sends a broken request.
async fn try_one<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (valid, mutation, tag): (&Node, &Mutation, &str),
    draft: &mut Draft,
) -> Result<Tries, String> {
    let mut sent = scene.compose(ready, tag)?;
    // The mutation comes from another request, so it gets the natural keys of this one.
    let mut json = mutation.value.clone();
    let body = sent.json.clone().unwrap_or_else(|| json.clone());
    renew(&mut json, &body, Some(&mutation.pointer), &Pointer::root());
    let mut control = sent.clone();
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        ignored(scene, call, mutation, &exchange, draft);
        return Ok(Tries::Granted);
    }
    if may_have_another_reason(&exchange) {
        let mut json = valid.clone();
        renew(&mut json, &body, None, &Pointer::root());
        scene.put_json(&mut control, &ready.call, json);
        if !succeeded(&scene.send(control).await) {
            return Ok(Tries::Unclear);
        }
    }
    // A converted value may be in use already: `true` as "true".
    let is_taken = status(&exchange) == Some(409) && call.response(409).is_some();
    if !(is_taken && is_coerced(mutation)) {
        scene.judge_refusal(draft, call, &exchange);
    }
    alone(scene, call, ready, (mutation, &exchange), draft).await?;
    if BOUNDS.contains(&mutation.keyword) {
        summed_up(scene, call, ready, (mutation, &exchange), draft).await?;
    }
    Ok(match mutation.keyword {
        "required" => Tries::Unclear,
        _ => Tries::Refused,
    })
}

/// Whether a refusal may have a reason that is not the broken keyword: a value that is in use, or a record that is gone.
fn may_have_another_reason(exchange: &Exchange) -> bool {
    matches!(status(exchange), Some(403 | 404 | 409 | 410 | 412 | 423))
}

/// Sends a broken number of a line with the matching total, as a wrong total would be refused anyway.
async fn summed_up<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (mutation, refused): (&Mutation, &Exchange),
    draft: &mut Draft,
) -> Result<(), String> {
    let sent = scene.compose(ready, "constraints-summed-up")?;
    let both = sent.json.as_ref().zip(refused.sent.json.as_ref());
    let Some(json) = both.and_then(|(valid, broken)| line_total::with_its_total(valid, broken))
    else {
        return Ok(());
    };
    once_more(scene, call, (ready, sent, json), mutation, draft).await;
    Ok(())
}

/// Sends a broken number with required properties only, as it may conflict with optional ones.
async fn alone<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    (mutation, refused): (&Mutation, &Exchange),
    draft: &mut Draft,
) -> Result<(), String> {
    let shape = Shape::of(scene.model.document, call.body.as_ref());
    let (Some(json), Some(broken)) = (&refused.sent.json, mutation.pointer.segments().next())
    else {
        return Ok(());
    };
    let mut json = json.clone();
    let Value::Mapping(mapping) = &mut json.value else {
        return Ok(());
    };
    let all = mapping.entries.len();
    let stays = |entry: &Entry| shape.requires(&entry.key) || broken == entry.key;
    mapping.entries.retain(stays);
    if !BOUNDS.contains(&mutation.keyword) || mapping.entries.len() == all {
        return Ok(());
    }
    let sent = scene.compose(ready, "constraints-alone")?;
    once_more(scene, call, (ready, sent, json), mutation, draft).await;
    Ok(())
}

/// Sends the broken value in another body, which the server must refuse, too.
async fn once_more<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, mut sent, json): (&Ready<'_, 'd>, Sent, Node),
    mutation: &Mutation,
    draft: &mut Draft,
) {
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        ignored(scene, call, mutation, &exchange, draft);
    }
}

/// Claims that the server accepted a broken request.
fn ignored<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    mutation: &Mutation,
    exchange: &Exchange,
    draft: &mut Draft,
) {
    let (keyword, what) = (&mutation.keyword, &mutation.what);
    let expected = format!("a refusal: `{keyword}` is broken by {what}");
    let check = if is_coerced(mutation) {
        &checks::TYPE_COERCED
    } else {
        &checks::CONSTRAINT_IGNORED
    };
    let claim = Claim::new(
        check,
        basis(scene, call, mutation),
        expected,
        describe(exchange),
    );
    scene.differ(draft, call, claim.at(mutation.pointer.clone()), exchange);
}

/// Whether a string, number or boolean replaces another of these, which many frameworks convert on purpose.
fn is_coerced(mutation: &Mutation) -> bool {
    let sent = mutation.value.at(&mutation.pointer);
    let is_scalar = |node: &Node| node.as_mapping().is_none() && node.as_sequence().is_none();
    mutation.keyword == "type" && sent.is_some_and(is_scalar)
}

/// The broken keyword, if the schema has it; else the body.
fn basis<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, mutation: &Mutation) -> Basis {
    let document = scene.model.document;
    let mut shape = Shape::of(document, call.body.as_ref());
    let mut keyword = shape.keyword(mutation.keyword);
    for segment in mutation.pointer.segments() {
        shape = if segment.bytes().all(|byte| byte.is_ascii_digit()) {
            shape.items(document)
        } else {
            shape.property(document, &segment)
        };
        keyword = shape.keyword(mutation.keyword).or(keyword);
    }
    keyword.map_or(Basis::Body, |keyword| Basis::Keyword(keyword.span))
}

/// Whether a request has a list of short keys, which another request may have used, too.
fn has_short_keys(exchange: &Exchange) -> bool {
    let is_short = |node: &Node| node.as_str().is_some_and(|text| text.len() <= SHORT);
    let mut entries = exchange.sent.json.iter().flat_map(Node::entries);
    entries.any(|entry| entry.value.items().next().is_some() && entry.value.items().all(is_short))
}

/// The corrected request must succeed: the refused one must have had no effect.
async fn has_no_effect<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    tag: &str,
    draft: &mut Draft,
) -> Result<(), String> {
    let exchange = scene.call(ready, tag).await?;
    let is_refused = status(&exchange).is_some_and(|code| (400..500).contains(&code));
    if !is_refused || status(&exchange) == Some(429) {
        return Ok(());
    }
    // A request without new values may conflict with an earlier one.
    let is_undocumented = status(&exchange) == Some(409) && call.response(409).is_none();
    let is_known = is_undocumented || scene.is_never_new(ready, tag)? || has_short_keys(&exchange);
    if !(is_known && is_conflict(&exchange)) {
        let claim = Claim::new(
            &checks::REFUSAL_CHANGED_STATE,
            Basis::Names,
            "a success of the corrected request after its refusal",
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    }
    Ok(())
}

/// Copies the texts of another request with the same structure, except at the broken place.
fn renew(json: &mut Node, node: &Node, broken: Option<&Pointer>, here: &Pointer) {
    if Some(here) == broken {
        return;
    }
    match (&mut json.value, &node.value) {
        (Value::Mapping(mapping), Value::Mapping(_)) => {
            for entry in &mut mapping.entries {
                if let Some(value) = node.get(&entry.key) {
                    let here = here.join(entry.key.as_str());
                    renew(&mut entry.value, value, broken, &here);
                }
            }
        }
        (Value::Sequence(items), Value::Sequence(others)) => {
            for (index, (item, other)) in items.iter_mut().zip(others).enumerate() {
                renew(item, other, broken, &here.join(index.to_string()));
            }
        }
        // A text that differs only in letter case is the broken one.
        (Value::String(text), Value::String(item)) if !text.eq_ignore_ascii_case(item) => {
            text.clone_from(item);
        }
        _ => {}
    }
}
