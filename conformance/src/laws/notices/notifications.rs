//! What an operation's callback promises comes: once, in time, signed and in its form.

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

use crate::answered::{own_key, record_of, status, succeeded};
use crate::scene::Scene;
use crate::scene::draft::{Claim, Draft, Tried};
use crate::scene::ground::Ground;

/// A repeat comes soon, or is nobody's mistake.
pub(crate) const QUIET: Duration = Duration::from_millis(300);

/// What the contract says of when a callback is sent: with the answer, or when something else happens.
const WHEN: &str = "x-sent";

/// Signatures that could not be checked.
pub(crate) const UNSEEN: &str =
    "nobody looked at the signatures of notifications: give --signing-secret";

/// Tries an operation with a callback.
pub(crate) async fn run<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
            Ok(receiver) => of(scene, draft, call, callbacks, (receiver, &path)).await,
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
    // Of what something else has to happen for, nothing is said where nothing came.
    Ok(held)
}

/// Asks for the notifications of one address, and holds what came against the contract. Whether
/// anything came.
async fn of<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    draft: &mut Draft,
    call: &Call<'d>,
    callbacks: &[Callback<'d>],
    (receiver, path): (&Receiver, &str),
) -> Result<bool, String> {
    let address = format!("{}{path}", receiver.address);
    let begun = Instant::now();
    let exchange = ask(scene, call, callbacks[0].operation.path, &address).await?;
    // What is sent later is not waited for.
    let window = if is_later(callbacks) {
        QUIET
    } else {
        scene.notifications().settings.window
    };
    let received = receiver.settle(path, QUIET, begun + window).await;
    hold(scene, draft, (call, callbacks), &exchange, &received);
    Ok(!received.is_empty())
}

/// The callbacks of an operation, together where they go to one address.
fn by_address<'d>(call: &Call<'d>) -> Vec<Vec<Callback<'d>>> {
    let mut groups: Vec<Vec<Callback<'d>>> = Vec::new();
    for callback in call.operation.callbacks() {
        let path = callback.operation.path;
        match groups.iter_mut().find(|own| own[0].operation.path == path) {
            Some(group) => group.push(callback),
            None => groups.push(vec![callback]),
        }
    }
    groups
}

/// Sends a request that would succeed, with the receiver's address where the callback's expression
/// reads it.
async fn ask<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
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
                .retain(|(own, _)| !own.eq_ignore_ascii_case(&name));
            sent.headers.push((name, address.to_owned()));
        }
        Some(("query", name)) => put_query(&mut sent, name, address),
        _ => {
            return Err(format!(
                "the runner cannot tell its address where `{expression}` is read"
            ));
        }
    }
    let exchange = scene.send(sent).await;
    if succeeded(&exchange) {
        return Ok(exchange);
    }
    let told = status(&exchange).map_or("no answer".to_owned(), |code| format!("status {code}"));
    Err(format!(
        "the request with the runner's address {address} was refused: {told}"
    ))
}

/// Which part of the request an address is read from, and where in it: `{$request.body#/url}`.
fn place(expression: &str) -> Option<(&str, &str)> {
    let inner = expression.strip_prefix("{$request.")?;
    let (inner, _) = inner.split_once('}')?;
    let found = inner.split_once(['#', '.'])?;
    ["body", "header", "query"]
        .contains(&found.0)
        .then_some(found)
}

fn put_query(sent: &mut Sent, name: &str, address: &str) {
    let own = format!("{}=", crate::style::encode(name));
    let pair = format!("{own}{}", crate::style::encode(address));
    let put = |url: &str| {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let kept = query
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with(&own));
        let all: Vec<&str> = kept.chain([&*pair]).collect();
        format!("{path}?{}", all.join("&"))
    };
    sent.url = put(&sent.url);
    sent.shown.url = put(&sent.shown.url);
}

/// When the contract says that callbacks are sent.
fn when<'d>(callbacks: &[Callback<'d>]) -> Option<&'d str> {
    callbacks
        .iter()
        .find_map(|own| own.node.get(WHEN)?.as_str())
}

fn is_later(callbacks: &[Callback<'_>]) -> bool {
    when(callbacks) == Some("later")
}

fn hold<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
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
            Ground::Keyword(operation.at.node.span),
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
        let expected = "each notification once, when it is answered 204";
        claim(&checks::NOTIFICATION_REPEATED, expected, twice);
    }
    for fault in signatures(scene, draft, &callbacks[0], received) {
        let expected = "a signature under the secret that both sides know";
        claim(&checks::NOTIFICATION_SIGNATURE, expected, fault);
    }
    let astray = at_once.then(|| astray(call, exchange, received));
    if let Some((expected, actual)) = astray.flatten() {
        claim(&checks::NOTIFICATION_ASTRAY, &expected, actual);
    }
    for message in received {
        let faults = callbacks.iter();
        let faults = faults.map(|own| message::faults(scene.contract(), own, message));
        let fewest = faults.min_by_key(Vec::len).unwrap_or_default();
        found.extend(fewest.into_iter().map(Claim::from));
    }
    for claim in found {
        scene.differ_in(draft, operation, claim, exchange);
    }
}

/// What is wrong with the signatures, where messages are signed.
fn signatures<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
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
    let faults = received.iter().filter_map(|own| secret.fault(own, now));
    faults.collect()
}

impl From<Fault> for Claim {
    fn from(fault: Fault) -> Self {
        Self {
            check: fault.check,
            pointer: fault.pointer,
            expected: fault.expected,
            actual: fault.actual,
            ground: Ground::Keyword(fault.place),
        }
    }
}

pub(crate) fn is_signed(callback: &Callback<'_>) -> bool {
    let parameters = callback.operation.parameters();
    let names: Vec<_> = parameters
        .iter()
        .map(|own| own.name.to_ascii_lowercase())
        .collect();
    HEADERS
        .iter()
        .all(|header| names.iter().any(|own| own == header))
}

/// A notification that came twice: of the same id, or to the byte where they have none.
pub(crate) fn repeated(received: &[Received]) -> Option<String> {
    let same = |one: &Received, other: &Received| match (one.header(ID), other.header(ID)) {
        (Some(one), Some(other)) => one == other,
        _ => one.path == other.path && one.body == other.body,
    };
    received.iter().enumerate().find_map(|(index, own)| {
        let before = received[..index].iter().find(|before| same(before, own))?;
        let id = own
            .header(ID)
            .map_or_else(String::new, |id| format!(" `{id}`"));
        let later = own.at.saturating_duration_since(before.at).as_millis();
        Some(format!("the same one{id} once more, after {later} ms"))
    })
}

/// The record that was made, and the one that is told of instead.
fn astray(call: &Call<'_>, exchange: &Exchange, received: &[Received]) -> Option<(String, String)> {
    let name = own_key(call)?;
    let key = record_of(call, exchange)?.get(name)?;
    let told: Vec<Node> = received.iter().filter_map(message::json).collect();
    let keys = told.iter().filter_map(|own| key_in(own, name));
    let mut others = keys.filter(|own| !own.same_value(key));
    let other = others.next()?;
    let expected = format!(
        "the record whose `{name}` is {}",
        value::excerpt(&key.to_json())
    );
    Some((expected, value::excerpt(&other.to_json())))
}

/// The key of the record that a notification has in it: one level down, else at the top.
fn key_in<'n>(payload: &'n Node, name: &str) -> Option<&'n Node> {
    let mut inner = payload.entries().filter_map(|entry| entry.value.get(name));
    inner.next().or_else(|| payload.get(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_of_a_callback_tells_where_its_address_is_read() {
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
