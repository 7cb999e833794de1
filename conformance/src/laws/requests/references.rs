//! References: the server must refuse a request that names an unknown or deleted record.

use std::collections::BTreeSet;

use openapi_document::{Node, Pointer, Value};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, same_path};
use crate::names;
use crate::recipe::Recipe;
use crate::shape::Shape;
use crate::value;

use crate::answered::{describe, record_of, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unchanged::Unchanged;
use crate::scene::unused_key::{is_allowed, unused_key};
use crate::scene::{Ready, Scene};

/// Statuses for an unknown reference. An operation that documents neither may not check references.
const UNKNOWN: [u16; 2] = [404, 422];

/// At most this many references of a request are tested.
const MOST: usize = 6;

/// Statuses for a deleted reference.
const GONE: [u16; 2] = [404, 410];

/// Tests an operation that creates or changes a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let writes = matches!(call.role, Role::Create | Role::Change) && scene.may_write();
    if !writes || call.first_of(&[400, 404, 410, 422]).is_none() {
        return Ok(false);
    }
    let in_body = in_body(scene, call, draft).await;
    let deleted = deleted(scene, call, draft).await;
    Ok(in_body == Ok(true) || deleted == Ok(true))
}

/// Replaces each key in the body by an unknown one.
async fn in_body<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    if call.first_of(&UNKNOWN).is_none() {
        return Ok(false);
    }
    scene.ready(call, "references").await?;
    let recipes: Vec<&'w Recipe<'d>> = scene.recipes(call).into_iter().collect();
    let mut tried = BTreeSet::new();
    for recipe in recipes {
        let named = named(scene, recipe);
        if tried.len() >= MOST || named.iter().all(|item| tried.contains(&item.to_string())) {
            continue;
        }
        let tag = format!("references-{}", tried.len());
        let Ok(ready) = scene.prepare(recipe, &tag).await else {
            continue;
        };
        // With all optional references, a body may be invalid.
        if !is_whole(scene, call, &ready) {
            continue;
        }
        for pointer in named {
            if tried.insert(pointer.to_string()) {
                unknown(scene, call, (&ready, &pointer), draft).await?;
                if names_item(scene, call, &pointer) {
                    foreign(scene, call, (recipe, &ready, &pointer), draft).await?;
                }
            }
        }
    }
    Ok(!tried.is_empty())
}

/// Whether a request is valid, as far as its schema can be checked.
fn is_whole<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, ready: &Ready<'_, 'd>) -> bool {
    let sent = scene.compose(ready, "references").ok();
    let json = sent.and_then(|item| item.json);
    let (Some(schema), Some(json)) = (&call.body, json) else {
        return true;
    };
    let broken = scene.contract().validate_request(schema, &json);
    broken.is_ok_and(|item| item.is_empty())
}

/// The schema of a place in the body.
fn shape_at<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, pointer: &Pointer) -> Shape<'d> {
    let document = scene.model.document;
    let mut shape = Shape::of(document, call.body.as_ref());
    for name in pointer.segments() {
        shape = match name.parse::<usize>() {
            Ok(_) => shape.items(document),
            Err(_) => shape.property(document, &name),
        };
    }
    shape
}

/// The places in a recipe's body that name records.
fn named<'d>(scene: &Scene<'_, 'd>, recipe: &Recipe<'d>) -> Vec<Pointer> {
    let model = scene.model;
    let call = recipe
        .split()
        .and_then(|pair| model.call(&pair.0.name.operation));
    let is_known = |call: &Call<'d>, pointer: &Pointer| {
        name_at(pointer).is_some_and(|item| model.known_here(call, &item).is_some())
    };
    let is_key = |pointer: &Pointer| {
        name_at(pointer).is_some_and(|item| {
            let of_form = || {
                let shape = shape_at(scene, call?, pointer);
                model.creator_of(&model.named_by(&shape, &item)?)
            };
            let is_created = model.creator_of(&kind_of(&item)).or_else(of_form).is_some();
            is_created || model.known_by(&item).is_some()
        }) || call.is_some_and(|item| names_item(scene, item, pointer) || is_known(item, pointer))
    };
    let replaced = recipe
        .split()
        .map(|(call, _)| call.request.replacements.iter());
    let replaced = replaced.into_iter().flatten().map(|(item, _)| item.clone());
    replaced.filter(is_key).collect()
}

/// The name of the property at a place, ignoring indices.
fn name_at(pointer: &Pointer) -> Option<String> {
    let mut segments = pointer.segments().rev();
    let name = segments.find(|text| text.bytes().any(|byte| !byte.is_ascii_digit()));
    name.map(|item| item.to_string())
}

/// The kind of record that a key names.
fn kind_of(name: &str) -> String {
    names::subject(name).unwrap_or_else(|| names::singular(name))
}

/// Whether a place names an item of the record that a call is about.
fn names_item<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>, pointer: &Pointer) -> bool {
    let kind = name_at(pointer).map(|item| kind_of(&item));
    let lists = scene.model.item_lists(call);
    kind.is_some_and(|kind| lists.iter().any(|item| item.is_called(&kind)))
}

/// Names an item of another record of the same kind.
async fn foreign<'w, 'd>(
    scene: &mut Scene<'w, 'd>,
    call: &Call<'d>,
    (recipe, ready, pointer): (&'w Recipe<'d>, &Ready<'_, 'd>, &Pointer),
    draft: &mut Draft,
) -> Result<(), String> {
    let other = scene.prepare(recipe, "references-other").await?;
    let other = scene.compose(&other, "references-other")?;
    let foreign = other
        .json
        .as_ref()
        .and_then(|node| node.at(pointer))
        .cloned();
    let foreign = foreign.ok_or("the other request lacks this property")?;
    let mut sent = scene.compose(ready, "references-foreign")?;
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    if json
        .at(pointer)
        .is_none_or(|node| node.same_value(&foreign))
    {
        return Ok(());
    }
    value::put(&mut json, pointer, foreign)?;
    scene.put_json(&mut sent, &ready.call, json);
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        let expected = "a refusal of an item of another record";
        let claim = Claim::new(
            &checks::FOREIGN_PARENT_FOUND,
            Basis::Names,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// Names an unknown record.
async fn unknown<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    (ready, pointer): (&Ready<'_, 'd>, &Pointer),
    draft: &mut Draft,
) -> Result<(), String> {
    let mut sent = scene.compose(ready, "references")?;
    let valid = sent.clone();
    let mut json = sent.json.clone().ok_or("the call has no JSON body")?;
    let old = json
        .at(pointer)
        .ok_or("the body lacks this property")?
        .clone();
    let is_number = matches!(old.value, Value::Number(_));
    let shape = shape_at(scene, call, pointer);
    let allowed = |key: &Node| {
        let schema = shape.nearest();
        schema.is_none_or(|schema| is_allowed(scene.contract(), schema, key))
    };
    let new = unused_key(is_number, &value::plain(&old), allowed)
        .ok_or("no unknown key fits the schema")?;
    value::put(&mut json, pointer, new)?;
    scene.put_json(&mut sent, &ready.call, json);
    // The refusal must leave all other named records unchanged.
    let before = Unchanged::by(scene, call, (ready, sent.clone())).await;
    let exchange = scene.send(sent).await;
    if let Some(before) = before.filter(|_| !succeeded(&exchange)) {
        before.check(scene, call, &exchange, draft).await;
    }
    // A server may ignore the value and answer the record as it was.
    let answered = record_of(call, &exchange).and_then(|record| record.at(pointer));
    let is_ignored = answered.is_some_and(|node| node.same_value(&old));
    if succeeded(&exchange) && is_ignored {
        return Ok(());
    }
    if succeeded(&exchange) {
        let expected = "a refusal of an unknown key";
        let claim = Claim::new(
            &checks::UNKNOWN_KEY_FOUND,
            Basis::Names,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else if is_undeclared(call, &exchange) {
        // Without the unknown key, the server must accept the same request.
        if !succeeded(&scene.send(valid).await) {
            return Ok(());
        }
        let expected = "a documented refusal of an unknown key";
        let claim = Claim::new(
            &checks::UNDECLARED_STATUS,
            Basis::Responses,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim.at(pointer.clone()), &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(())
}

/// Whether the refusal has an undocumented status although the operation documents one for unknown references.
fn is_undeclared(call: &Call<'_>, exchange: &Exchange) -> bool {
    let code = status(exchange).filter(|code| matches!(code, 400 | 404 | 409 | 410 | 422));
    let is_other = code.is_some_and(|code| call.operation.response(code).is_none());
    is_other && call.first_of(&UNKNOWN).is_some()
}

/// Whether an operation takes back a deletion.
fn restores(call: &Call<'_>) -> bool {
    let words = names::words(&call.operation.label());
    words.iter().any(|word| word == "restore")
}

/// Names a deleted record.
async fn deleted<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<bool, String> {
    if call.first_of(&GONE).is_none() || restores(call) {
        return Ok(false);
    }
    let ready = scene.ready(call, "references-deleted").await?;
    let Some((creator, record)) = scene.record_before(call, &ready) else {
        return Ok(false);
    };
    let (record, with) = (record.clone(), scene.compose(&ready, "references-deleted")?);
    let readers = scene.readers_for(creator, &record, &with);
    let Some(reader) = readers.first().copied() else {
        return Ok(false);
    };
    let path = reader.operation.path;
    let model = scene.model;
    let mut all = model.of(Role::Delete);
    let deleter = all.find(|call| same_path(call.operation.path, path));
    let Some(deleter) = deleter.filter(|call| scene.covers(call)) else {
        return Ok(false);
    };
    let gone = scene.compose_read(deleter, &record, &with, &[])?;
    let gone = scene.send(gone).await;
    let read = scene.read(reader, &record, &with).await?;
    // A record that can still be read may still be used.
    if !succeeded(&gone) || !matches!(status(&read), Some(404 | 410)) {
        return Ok(false);
    }
    let exchange = scene.call(&ready, "references-deleted").await?;
    if succeeded(&exchange) {
        // The server may have given the key to a new record.
        let read = scene.read(reader, &record, &with).await?;
        if succeeded(&read) {
            return Ok(false);
        }
        let what = deleter.operation.label();
        let expected = format!("a refusal, as `{what}` deleted the named record");
        let claim = Claim::new(
            &checks::DELETED_FOUND,
            Basis::Names,
            expected,
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    } else {
        refused(scene, call, &exchange, draft);
    }
    Ok(true)
}

/// Compares a refusal with the schema of its documented status.
fn refused<'d>(scene: &mut Scene<'_, 'd>, call: &Call<'d>, exchange: &Exchange, draft: &mut Draft) {
    scene.judge_seen(draft, call, exchange, |code| (400..500).contains(code));
}
