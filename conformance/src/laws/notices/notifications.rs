//! Callbacks: a documented callback must come once, in time, signed and in its documented form.

use std::time::{Duration, Instant};

use openapi_document::view::Callback;
use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::{Exchange, Sent};
use crate::model::Call;
use crate::notifications::message::{self, Fault};
use crate::notifications::receiver::{Received, Receiver};
use crate::notifications::signature::{HEADERS, ID};
use crate::value;

use crate::answered::{key_name, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::basis::Basis;
use crate::scene::draft::{Claim, Draft, Tried};

/// The runner waits this long for repeats.
pub(crate) const QUIET: Duration = Duration::from_millis(300);

/// The contract's keyword for when a callback is sent: with the answer (`at-once`), or after another event (`later`).
const WHEN: &str = "x-sent";

/// The reason of a skip because signatures could not be verified.
pub(crate) const UNSEEN: &str =
    "the signatures of notifications were not verified: give --signing-secret";

/// Tests an operation with callbacks.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> Tried {
    if call.operation.callbacks().is_empty() {
        return Ok(false);
    }
    let receiver = &scene.notifications().receiver;
    let mut held = false;
    for (number, callbacks) in by_address(call).iter().enumerate() {
        let path = format!("/{}/{number}", call.operation.label());
        let outcome = match receiver {
            Ok(receiver) => test_call(scene, draft, call, callbacks, (receiver, &path)).await,
            Err(reason) => Err(reason.clone()),
        };
        match outcome {
            Ok(came) => held |= came || !is_later(callbacks),
            Err(reason) => {
                held = true;
                draft.skip(reason);
            }
        }
    }
    // A callback that another event triggers may not come.
    Ok(held)
}

/// Requests the callbacks of one address and compares them with the contract. Returns whether any came.
async fn test_call<'d>(
    scene: &mut Scene<'_, 'd>,
    draft: &mut Draft,
    call: &Call<'d>,
    callbacks: &[Callback<'d>],
    (receiver, path): (&Receiver, &str),
) -> Result<bool, String> {
    let address = format!("{}{path}", receiver.address);
    let begun = Instant::now();
    let exchange = ask(scene, call, callbacks[0].operation.path, &address).await?;
    // The runner does not wait for callbacks that another event triggers.
    let window = if is_later(callbacks) {
        QUIET
    } else {
        scene.notifications().settings.window
    };
    let received = receiver.settle(path, QUIET, begun + window).await;
    hold(scene, draft, (call, callbacks), &exchange, &received);
    Ok(!received.is_empty())
}

/// The callbacks of an operation, grouped by the expression of their address.
fn by_address<'d>(call: &Call<'d>) -> Vec<Vec<Callback<'d>>> {
    let mut groups: Vec<Vec<Callback<'d>>> = Vec::new();
    for callback in call.operation.callbacks() {
        let path = callback.operation.path;
        match groups
            .iter_mut()
            .find(|item| item[0].operation.path == path)
        {
            Some(group) => group.push(callback),
            None => groups.push(vec![callback]),
        }
    }
    groups
}

/// Sends a valid request with the receiver's address at the place of the callback's expression.
async fn ask<'d>(
    scene: &mut Scene<'_, 'd>,
    call: &Call<'d>,
    expression: &str,
    address: &str,
) -> Result<Exchange, String> {
    let ready = scene.ready(call, "notified").await?;
    let mut sent = scene.compose(&ready, "notified")?;
    match place(expression) {
        Some(("body", pointer)) => {
            let pointer = Pointer::parse(pointer).unwrap_or_else(Pointer::root);
            let mut json = sent.json.clone().ok_or("the request has no JSON body")?;
            value::put(&mut json, &pointer, value::string(address))?;
            scene.put_json(&mut sent, &ready.call, json);
        }
        Some(("header", name)) => {
            let name = name.to_ascii_lowercase();
            sent.headers
                .retain(|(property, _)| !property.eq_ignore_ascii_case(&name));
            sent.headers.push((name, address.to_owned()));
        }
        Some(("query", name)) => put_query(&mut sent, name, address),
        _ => {
            return Err(format!(
                "the runner cannot put its address where `{expression}` reads it"
            ));
        }
    }
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        return Ok(exchange);
    }
    let observed =
        status(&exchange).map_or("no answer".to_owned(), |code| format!("status {code}"));
    Err(format!(
        "the request with the runner's address {address} was refused: {observed}"
    ))
}

/// The part of the request with the address, and the place in it: `{$request.body#/url}`.
fn place(expression: &str) -> Option<(&str, &str)> {
    let inner = expression.strip_prefix("{$request.")?;
    let (inner, _) = inner.split_once('}')?;
    let found = inner.split_once(['#', '.'])?;
    ["body", "header", "query"]
        .contains(&found.0)
        .then_some(found)
}

fn put_query(sent: &mut Sent, name: &str, address: &str) {
    let prefix = format!("{}=", crate::style::encode(name));
    let pair = format!("{prefix}{}", crate::style::encode(address));
    let put = |url: &str| {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let kept = query
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with(&prefix));
        let all: Vec<&str> = kept.chain([&*pair]).collect();
        format!("{path}?{}", all.join("&"))
    };
    sent.url = put(&sent.url);
    sent.shown.url = put(&sent.shown.url);
}

/// The contract's value of `x-sent` for these callbacks.
fn when<'d>(callbacks: &[Callback<'d>]) -> Option<&'d str> {
    callbacks
        .iter()
        .find_map(|item| item.node.get(WHEN)?.as_str())
}

fn is_later(callbacks: &[Callback<'_>]) -> bool {
    when(callbacks) == Some("later")
}

fn hold<'d>(
    scene: &Scene<'_, 'd>,
    draft: &mut Draft,
    (call, callbacks): (&Call<'d>, &[Callback<'d>]),
    exchange: &Exchange,
    received: &[Received],
) {
    let operation = &callbacks[0].operation;
    let mut found: Vec<Claim> = Vec::new();
    let mut claim = |check, expected: &str, actual: String| {
        found.push(Claim::new(
            check,
            Basis::Keyword(operation.at.node.span),
            expected,
            actual,
        ));
    };
    let at_once = when(callbacks) == Some("at-once");
    if received.is_empty() {
        let actual = format!(
            "none within {} ms",
            scene.notifications().settings.window.as_millis()
        );
        if at_once {
            let expected = format!("a notification `{}`", callbacks[0].name);
            claim(&checks::NOTIFICATION_MISSING, &expected, actual);
        } else {
            draft.skip(format!(
                "{actual}, and the contract does not say that one is sent at once (`{WHEN}: at-once`)"
            ));
        }
    }
    if let Some(twice) = repeated(received) {
        let expected = "each notification once after the answer 204";
        claim(&checks::NOTIFICATION_REPEATED, expected, twice);
    }
    for fault in signatures(scene, draft, &callbacks[0], received) {
        let expected = "a signature with the shared secret";
        claim(&checks::NOTIFICATION_SIGNATURE, expected, fault);
    }
    let astray = at_once.then(|| astray(call, exchange, received));
    if let Some((expected, actual)) = astray.flatten() {
        claim(&checks::NOTIFICATION_ASTRAY, &expected, actual);
    }
    for message in received {
        let faults = callbacks.iter();
        let faults = faults.map(|item| message::faults(scene.contract(), item, message));
        let fewest = faults.min_by_key(Vec::len).unwrap_or_default();
        found.extend(fewest.into_iter().map(Claim::from));
    }
    for claim in found {
        scene.differ_in(draft, operation, claim, exchange);
    }
}

/// The faults of the signatures, if messages are signed.
fn signatures<'d>(
    scene: &Scene<'_, 'd>,
    draft: &mut Draft,
    callback: &Callback<'d>,
    received: &[Received],
) -> Vec<String> {
    if !is_signed(callback) || received.is_empty() {
        return Vec::new();
    }
    let Some(secret) = &scene.notifications().settings.secret else {
        draft.skip(UNSEEN);
        return Vec::new();
    };
    let now = std::time::SystemTime::now();
    let faults = received.iter().filter_map(|item| secret.fault(item, now));
    faults.collect()
}

impl From<Fault> for Claim {
    fn from(fault: Fault) -> Self {
        Self {
            check: fault.check,
            pointer: fault.pointer,
            expected: fault.expected,
            actual: fault.actual,
            basis: Basis::Keyword(fault.place),
        }
    }
}

pub(crate) fn is_signed(callback: &Callback<'_>) -> bool {
    let parameters = callback.operation.parameters();
    let names: Vec<_> = parameters
        .iter()
        .map(|parameter| parameter.name.to_ascii_lowercase())
        .collect();
    HEADERS
        .iter()
        .all(|header| names.iter().any(|item| item == header))
}

/// A notification that came twice: with the same id, or with the same body if they have none.
pub(crate) fn repeated(received: &[Received]) -> Option<String> {
    let same = |one: &Received, other: &Received| match (one.header(ID), other.header(ID)) {
        (Some(one), Some(other)) => one == other,
        _ => one.path == other.path && one.body == other.body,
    };
    received.iter().enumerate().find_map(|(index, record)| {
        let before = received[..index]
            .iter()
            .find(|before| same(before, record))?;
        let id = record
            .header(ID)
            .map_or_else(String::new, |id| format!(" `{id}`"));
        let later = record.at.saturating_duration_since(before.at).as_millis();
        Some(format!("the same notification{id} again after {later} ms"))
    })
}

/// The created record, and the one that a notification names instead.
fn astray(call: &Call<'_>, exchange: &Exchange, received: &[Received]) -> Option<(String, String)> {
    let name = key_name(call)?;
    let key = record_of(call, exchange)?.get(name)?;
    let observed: Vec<Node> = received.iter().filter_map(message::json).collect();
    let keys = observed.iter().filter_map(|item| key_in(item, name));
    let mut others = keys.filter(|node| !node.same_value(key));
    let other = others.next()?;
    let expected = format!(
        "the record whose `{name}` is {}",
        value::excerpt(&key.to_json())
    );
    Some((expected, value::excerpt(&other.to_json())))
}

/// The key of the record in a notification: one level down, else at the top.
fn key_in<'n>(payload: &'n Node, name: &str) -> Option<&'n Node> {
    let mut inner = payload.entries().filter_map(|entry| entry.value.get(name));
    inner.next().or_else(|| payload.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callback_expression_gives_the_place_of_its_address() {
        for (expression, expected) in [
            ("{$request.body#/customUrl}", Some(("body", "/customUrl"))),
            ("{$request.query.to}/paid", Some(("query", "to"))),
            ("{$request.header.X-To}", Some(("header", "X-To"))),
            ("{$response.body#/url}", None),
            ("http://shop.example/{$request.body#/id}", None),
            ("{$url}", None),
        ] {
            assert_eq!(place(expression), expected, "{expression}");
        }
    }
}
