//! Unknown: a key that does not exist must not be found.

use openapi_document::Node;
use openapi_document::view::{Location, Method};

use crate::case::{Argument, ArgumentValue, Step};
use crate::checks;
use crate::exchange::Sent;
use crate::fresh::is_uuid;
use crate::model::{Call, Role};
use crate::value;

use crate::answered::{describe, status, succeeded};
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::unused_key::{is_allowed, unused_key};
use crate::scene::{Ready, Scene};

/// Shorter keys may have a prefix that is also a key.
const LONG: usize = 10;

/// Tests an operation whose path names a record.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    let names_another = call.path_parameters().into_iter().any(is_looked_for(call));
    if !names_another || puts_its_record(scene, call) || call.not_found().is_none() {
        return Ok(false);
    }
    test_call(scene, call, draft).await.map(|()| true)
}

/// Whether a PUT names a record that no other operation creates, so that it may create the record itself.
fn puts_its_record<'d>(scene: &Scene<'_, 'd>, call: &Call<'d>) -> bool {
    let last = call.path_parameters().last().copied();
    let is_created = |name| scene.model.creator_for(&call.operation, name).is_some();
    let is_listed = |name| scene.model.lister_for(&call.operation, name).is_some();
    let is_put = call.operation.method == Method::Put;
    is_put && last.is_some_and(|name| !is_created(name) && !is_listed(name))
}

async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Result<(), String> {
    let Some(response) = call.not_found() else {
        return Ok(());
    };
    let ready = scene.ready(call, "unknown").await?;
    let known = scene.compose(&ready, "unknown")?;
    let (name, old) = looked_for(call, &known).ok_or("the call has no path argument")?;
    let sent = with_unused_key(scene, call, &ready, &known)?;
    let mut exchange = scene.send(sent).await;
    // A prefix of an existing key must not be found either.
    if let (false, Some(shorter)) = (succeeded(&exchange), shorter(call, old)) {
        let step = with_key(&ready, name, |_| value::string(shorter));
        let sent = scene.compose_step(&ready, &step, "unknown-shorter")?;
        let found = scene.send(sent).await;
        if succeeded(&found) {
            exchange = found;
        }
    }
    // With several keys in the path, the documented 404 may concern another one.
    let is_only = call.path_parameters().len() == 1;
    if succeeded(&exchange) {
        let basis = if is_only {
            Basis::Keyword(response.key_span)
        } else {
            Basis::Names
        };
        let claim = Claim::new(
            &checks::UNKNOWN_KEY_FOUND,
            basis,
            format!("status 404 for a `{name}` that does not exist"),
            describe(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
        return Ok(());
    }
    let other = status(&exchange).and_then(|code| call.response(code));
    // A server may know keys by a form that the document does not give.
    let is_malformed = matches!(status(&exchange), Some(400 | 422)) && !has_form(&ready, name);
    if other.is_none() || (is_only && !is_malformed) {
        scene.judge(draft, call, &response, &exchange);
    }
    if status(&exchange) == Some(404) {
        scene.reach(call, 404, draft);
    }
    Ok(())
}

/// The last path argument that names an existing record.
fn looked_for<'s>(call: &Call<'_>, known: &'s Sent) -> Option<&'s (String, String)> {
    let mut all = known.path_arguments.iter().rev();
    all.find(|(name, _)| is_looked_for(call)(name))
}

/// The same request with another key in its path.
fn with_key<'d>(
    ready: &Ready<'_, 'd>,
    name: &str,
    wanted: impl Fn(&Argument<'d>) -> Node,
) -> Step<'d> {
    let mut step = ready.call.clone();
    for argument in &mut step.request.arguments {
        if argument.location == Location::Path && argument.name == name {
            argument.value = ArgumentValue::Example(wanted(argument));
            argument.natural_key = false;
        }
    }
    step
}

/// The same request with an unused key.
pub(super) fn with_unused_key<'d>(
    scene: &Scene<'_, 'd>,
    call: &Call<'d>,
    ready: &Ready<'_, 'd>,
    known: &Sent,
) -> Result<Sent, String> {
    let (name, old) = looked_for(call, known).ok_or("the call has no path argument")?;
    let allowed = |node: &Argument<'d>, key: &Node| {
        let schema = node.schema.as_ref();
        schema.is_none_or(|schema| is_allowed(scene.contract(), schema, key))
    };
    let arguments = ready.call.request.arguments.iter();
    let mut arguments = arguments.filter(|item| item.location == Location::Path);
    let argument = arguments.find(|item| item.name == *name);
    let key = argument
        .filter(|item| !is_value(item))
        .and_then(|item| unused_key(argument_is_number(item), old, |key| allowed(item, key)))
        .ok_or_else(|| format!("no unknown `{name}` fits its schema"))?;
    let step = with_key(ready, name, |_| key.clone());
    scene.compose_step(ready, &step, "unknown")
}

/// Whether a path parameter names an existing record, and not one that the call puts there.
fn is_looked_for(call: &Call<'_>) -> impl Fn(&str) -> bool {
    let chosen = call.chosen.map(str::to_owned);
    move |name| chosen.as_deref() != Some(name)
}

/// Whether the schema of a path parameter gives the form of a key, so that the unknown key has it, too.
fn has_form(ready: &Ready<'_, '_>, name: &str) -> bool {
    let mut arguments = ready.call.request.arguments.iter();
    let argument = arguments.find(|item| item.location == Location::Path && item.name == name);
    let schema = argument.and_then(|item| item.schema.as_ref());
    argument.is_some_and(argument_is_number)
        || schema.is_some_and(|item| {
            item.node.get("format").is_some() || item.node.get("pattern").is_some()
        })
}

/// Whether an argument is a value rather than the key of a record: a day or one of a list.
fn is_value(argument: &Argument<'_>) -> bool {
    let schema = argument.schema.as_ref().map(|schema| schema.node);
    let format = schema.and_then(|node| node.get("format")?.as_str());
    let is_listed = schema.is_some_and(|node| node.get("enum").is_some());
    is_listed || matches!(format, Some("date" | "date-time" | "time"))
}

/// A prefix of a long key, for operations that only read.
fn shorter<'o>(call: &Call<'_>, old: &'o str) -> Option<&'o str> {
    let is_long = old.is_ascii() && old.len() >= LONG && !is_uuid(old);
    let is_read = call.operation.method.is_safe() && call.role == Role::Read;
    (is_long && is_read).then(|| &old[..old.len() - 3])
}

fn argument_is_number(argument: &crate::case::Argument<'_>) -> bool {
    let schema = argument.schema.as_ref();
    let name = schema.and_then(|item| item.node.get("type")?.as_str());
    matches!(name, Some("integer" | "number"))
}
