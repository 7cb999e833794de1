//! Blocked: what a record names is in a state that a documented refusal tells of, such as the account of who pays,
//! or of who is paid, when one of the accounts is said to be frozen.

use openapi_document::Node;

use crate::checks;
use crate::exchange::Sent;
use crate::model::{Call, Record, Role};
use crate::names;
use crate::prose;
use crate::value;

use super::barred::step_on;
use super::lead::Lead;
use super::place::{Place, asking};
use super::refusal::settle;
use super::stated::{is_doubtful, texts};
use crate::answered::{own_key, record_of, status, succeeded, told};
use crate::laws::requests::untouched::Untouched;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;
use crate::scene::{Ready, Scene};

/// Words that a state is told after.
const IS: [&str; 4] = ["is", "are", "already", "been"];

/// Words of one side of two: nothing tells which of them is meant.
const SIDES: [&str; 12] = [
    "source",
    "target",
    "destination",
    "sender",
    "receiver",
    "recipient",
    "payer",
    "payee",
    "sending",
    "receiving",
    "debtor",
    "creditor",
];

/// Tries an operation with each record that it names blocked; whether any could be.
pub(crate) async fn parties<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    draft: &mut Draft,
) -> bool {
    let model = scene.model;
    let own = sentences(call);
    let mut tried = false;
    for (index, step) in model.calls.iter().enumerate() {
        let Some(kind) = step.record().filter(|_| blocks(scene, call, step)) else {
            continue;
        };
        let words = names::words(&kind.name);
        let Some(noun) = words.last() else {
            continue;
        };
        let elsewhere = said_elsewhere(call, step, kind);
        for (way, lead) in Lead::all(scene, step).iter().enumerate() {
            let sentences = own.iter().chain(&elsewhere);
            let said = sentences.map(|own| says(own, noun, lead));
            let Some(says) = said.max().filter(|own| *own != Said::Nothing) else {
                continue;
            };
            for party in 0..2 {
                let tag = format!("blocked-{index}-{way}-{party}");
                let done = block(scene, (call, step, lead), (says, party, &tag), draft).await;
                let done = match done {
                    None if party == 0 => {
                        after_its_own(scene, (call, step, lead), &tag, draft).await
                    }
                    done => done,
                };
                tried |= done.is_some();
            }
        }
    }
    tried
}

/// Whether a step is one on another kind of record than the call is about.
fn blocks<'d>(scene: &Scene<'_, '_, '_, 'd>, call: &Call<'d>, step: &Call<'d>) -> bool {
    let is_other = match (call.record(), step.record()) {
        (Some(own), Some(other)) => !own.is(other),
        (_, other) => other.is_some(),
    };
    is_other && step.role == Role::Change && scene.covers(step)
}

/// What is said to be refused, in the responses and where the operation is described.
fn sentences(call: &Call<'_>) -> Vec<String> {
    const ONE: [&str; 7] = ["unless", "until", "except", "and", "but", "only", "while"];
    let mut found = Vec::new();
    let node = call.operation.at.node;
    for code in ["403", "409", "422"] {
        let own = node.get("responses").and_then(|own| own.get(code));
        // What others refer to, too, may speak of them.
        if let Some(own) = own.filter(|own| own.reference().is_none()) {
            texts(own, &mut found);
        }
    }
    // One clause may be doubtful, and the others not.
    let clauses = found.iter().filter(|own| {
        let words = names::words(&own.to_lowercase());
        own.contains(", ") && prose::has(&words, &["or"]) && !prose::has(&words, &ONE)
    });
    let clauses: Vec<String> = clauses
        .flat_map(|own| own.split(", "))
        .map(|own| own.trim_start_matches("or ").to_owned())
        .collect();
    found.extend(clauses);
    let said = call.texts().flat_map(prose::sentences);
    found.extend(said.filter(|own| bars(own)).map(str::to_owned));
    found
}

/// What is said of what a call makes where another kind of record is described: "an archived plan takes no new subscriptions".
fn said_elsewhere(call: &Call<'_>, step: &Call<'_>, kind: &Record<'_>) -> Vec<String> {
    let made = call.record().filter(|_| call.role == Role::Create);
    let made = made.and_then(|own| names::words(&own.name).pop());
    let Some(made) = made else {
        return Vec::new();
    };
    let schema = kind.schema.node.get("description").and_then(Node::as_str);
    let texts = step.texts().chain(schema).chain(call.overall);
    let said = texts.flat_map(prose::sentences);
    said.filter(|own| bars_new(own, &made))
        .map(str::to_owned)
        .collect()
}

/// Whether a sentence of an operation says that something cannot be: there the states stand for what may be, too.
fn bars(text: &str) -> bool {
    const REFUSED: [&str; 7] = [
        "cannot", "refused", "rejected", "403", "409", "422", "nothing",
    ];
    let words = names::words(text);
    let is_none = words.windows(2).any(is_none_at_all);
    is_none || prose::has(&words, &REFUSED)
}

/// Whether a sentence says that nothing of a kind is made any more: `gets no new invoices`.
fn bars_new(text: &str, made: &str) -> bool {
    let words = names::words(text);
    let mut all = words.windows(3);
    all.any(|own| is_none_at_all(&own[..2]) && names::singular(&own[2]) == made)
}

/// Whether two words say that there is to be nothing of something: `no new orders`.
fn is_none_at_all(words: &[String]) -> bool {
    words[0] == "no" && matches!(words[1].as_str(), "new" | "further")
}

/// Of how many records a sentence says that they must not be in the state of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Said {
    Nothing,
    One,
    Any,
}

/// What a sentence says of a kind of record and the state that is led to: "the member is suspended".
fn says(text: &str, noun: &str, lead: &Lead<'_>) -> Said {
    let mut words = lead.words(text);
    // No new orders is no doubt.
    while let Some(at) = words.windows(2).position(is_none_at_all) {
        words.drain(at..at + 2);
    }
    let has = |wanted: &str| words.iter().any(|own| own == wanted);
    if is_doubtful(&words) || has("only") || SIDES.iter().any(|own| has(own)) {
        return Said::Nothing;
    }
    let is_noun = |own: &String| names::singular(own) == noun;
    // The code of a refusal: `customer_blocked`.
    let is_code = !text.trim().contains(' ') && words.len() == 2 && is_noun(&words[0]);
    let is_told = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let is_state = before.is_some_and(|own| IS.contains(&own.as_str()));
        let is_named = is_state || is_code || words.get(at + 1).is_some_and(is_noun);
        lead.tells(&words[at]) && is_named
    };
    if words.iter().any(is_noun) && (0..words.len()).any(is_told) {
        of_how_many(&words, noun)
    } else {
        Said::Nothing
    }
}

/// Of how many records the words of a sentence speak.
fn of_how_many(words: &[String], noun: &str) -> Said {
    let is_plural = |own: &String| own != noun && names::singular(own) == noun;
    let is_each = words
        .windows(2)
        .any(|own| own[0] == "each" && own[1] == noun);
    // Of `a wallet is closed` nothing tells which one is meant.
    let is_some = words.len() == 4
        && matches!(words[0].as_str(), "a" | "an" | "one" | "either")
        && words[1] == noun;
    if words.iter().any(is_plural) || is_each || is_some {
        Said::Any
    } else {
        Said::One
    }
}

/// Blocks one of the records that the call names; then it is refused.
async fn block<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, step, lead): (&Call<'d>, &Call<'d>, &Lead<'d>),
    (says, party, tag): (Said, usize, &str),
    draft: &mut Draft,
) -> Option<()> {
    let ready = scene.ready(call, tag).await.ok()?;
    let mut named = named(scene, &ready, step.record()?);
    if named.is_empty() {
        // What is above what the call names, such as the plan of its subscription.
        named = made(scene, &ready, step.record()?);
        named.truncate(usize::from(named.len() == 1));
    }
    if named.len() > 1 && says != Said::Any {
        return None;
    }
    let (record, with) = named.swap_remove(Some(party).filter(|own| *own < named.len())?);
    let sent = match &step.body {
        None => scene.compose_read(step, &record, &with, &[]).ok()?,
        // What has to be said beside it is said of the only one that there is.
        Some(_) if named.len() > 1 => return None,
        Some(_) => {
            let own = step_on(scene, step, &ready)?;
            let sent = scene.compose_step(&ready, &own, tag).ok()?;
            match lead {
                Lead::Step(_) => sent,
                Lead::Set(place, state) => asking(scene, step, (&own, place, state), sent)?,
            }
        }
    };
    let blocked = scene.send(sent).await;
    let is_done = match lead {
        Lead::Step(_) => succeeded(&blocked) && status(&blocked) != Some(202),
        Lead::Set(place, state) => place.is_told(step, &blocked, state),
    };
    is_done.then_some(())?;
    let before = Box::pin(Untouched::of(scene, call, &ready)).await;
    let exchange = scene.call(&ready, tag).await.ok()?;
    if let Some(before) = before.filter(|_| !succeeded(&exchange)) {
        Box::pin(before.look(scene, call, &exchange, draft)).await;
    }
    let by = step.operation.label();
    let what = match lead {
        Lead::Step(_) => format!("`{by}` was done with what it names"),
        Lead::Set(_, state) => format!("`{by}` has made what it names {state}"),
    };
    let what = format!("a refusal, as documented: {what}");
    settle(scene, call, (Ground::Refusal(409), what), &exchange, draft);
    if let Lead::Set(place, _) = lead
        && draft.is_clean()
    {
        let before = record.get(place.told).and_then(Node::as_str);
        let before = place.values.iter().find(|own| Some(**own) == before)?;
        let set = (&ready, place, *before);
        back(scene, (call, step), set, tag, draft).await;
    }
    Some(())
}

/// Sets the state by the steps that lead to the change, where what it asks for is told by none on the way to the call, such as a version.
async fn after_its_own<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, step, lead): (&Call<'d>, &Call<'d>, &Lead<'d>),
    tag: &str,
    draft: &mut Draft,
) -> Option<()> {
    let Lead::Set(place, state) = lead else {
        return None;
    };
    let tag = format!("{tag}-after");
    // Of several that the call names nothing tells which one is meant.
    let ready = scene.ready(call, &tag).await.ok()?;
    (named(scene, &ready, step.record()?).len() == 1).then_some(())?;
    let ready = scene.ready(step, &tag).await.ok()?;
    let own = step_on(scene, call, &ready)?;
    let sent = scene.compose(&ready, &tag).ok()?;
    let sent = asking(scene, step, (&ready.call, place, state), sent)?;
    let composed = scene.compose_step(&ready, &own, &tag).ok()?;
    let set = scene.send(sent).await;
    place.is_told(step, &set, state).then_some(())?;
    let exchange = scene.send(composed).await;
    let by = step.operation.label();
    let what = format!("a refusal, as documented: `{by}` has made what it names {state}");
    settle(scene, call, (Ground::Refusal(409), what), &exchange, draft);
    Some(())
}

/// Sets the state that there was: then the call is granted again.
async fn back<'d>(
    scene: &mut Scene<'_, '_, '_, 'd>,
    (call, step): (&Call<'d>, &Call<'d>),
    (ready, place, before): (&Ready<'_, 'd>, &Place<'d>, &'d str),
    tag: &str,
    draft: &mut Draft,
) -> Option<()> {
    let tag = format!("{tag}-back");
    let own = step_on(scene, step, ready)?;
    let sent = scene.compose_step(ready, &own, &tag).ok()?;
    let sent = asking(scene, step, (&own, place, before), sent)?;
    let set = scene.send(sent).await;
    place.is_told(step, &set, before).then_some(())?;
    let exchange = scene.call(ready, &tag).await.ok()?;
    if matches!(status(&exchange), Some(403 | 409)) {
        let by = step.operation.label();
        let expected = format!("a success: `{by}` has made what it names {before} again");
        let claim = Claim::new(
            &checks::VALID_REFUSED,
            Ground::Refusal(409),
            expected,
            told(&exchange),
        );
        scene.differ(draft, call, claim, &exchange);
    }
    Some(())
}

/// The records of a kind that a call names, with the requests that made them.
pub(crate) fn named<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    kind: &Record<'d>,
) -> Vec<(Node, Sent)> {
    let Ok(sent) = scene.compose(ready, "named") else {
        return Vec::new();
    };
    let names = |key: &Node| {
        let text = value::plain(key);
        let mut in_path = sent.path_arguments.iter();
        in_path.any(|(_, own)| *own == text) || sent.json.iter().any(|own| holds(own, key))
    };
    let mut all = made(scene, ready, kind);
    all.retain(|(record, sent)| {
        let maker = scene.model.call(&sent.operation);
        let key = maker.and_then(own_key).and_then(|key| record.get(key));
        key.is_some_and(names)
    });
    all
}

/// The records of a kind that the steps before a call have made, with the requests that did.
fn made<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    ready: &Ready<'_, 'd>,
    kind: &Record<'d>,
) -> Vec<(Node, Sent)> {
    let kept = ready.state.kept.as_deref().unwrap_or_default();
    let made = kept.iter().filter_map(|exchange| {
        let maker = scene.model.call(&exchange.sent.operation)?;
        let is_maker = maker.role == Role::Create && maker.record()?.is(kind);
        let record = record_of(maker, exchange).filter(|_| is_maker)?;
        Some((record.clone(), exchange.sent.clone()))
    });
    made.collect()
}

/// Whether a key stands in a body: one that is a number on top only, as deeper it may be an amount.
fn holds(node: &Node, key: &Node) -> bool {
    let deep = |own: &Node| key.as_str().is_some() && holds(own, key);
    let mut entries = node.entries();
    let mut items = node.as_sequence().unwrap_or_default().iter();
    entries.any(|own| own.value.same_value(key) || deep(&own.value))
        || items.any(|own| own.same_value(key) || deep(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_that_say_what_cannot_be() {
        for (text, expected) in [
            ("A suspended seller cannot request payouts", true),
            (
                "Nothing can be transferred from an account of a suspended seller",
                true,
            ),
            ("An archived one is refused with 409", true),
            ("A suspended seller keeps its accounts", false),
        ] {
            assert_eq!(bars(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_say_that_nothing_is_made_any_more() {
        let text = "A blocked customer gets no new invoices, but payments on them are taken as usual (409)";
        assert!(bars_new(text, "invoice"));
        assert!(!bars_new(text, "payment"));
    }

    #[test]
    fn what_texts_say_of_parties() {
        for (text, noun, verb, expected) in [
            ("The member is suspended", "member", "suspend", Said::One),
            (
                "One of the accounts is frozen",
                "account",
                "freeze",
                Said::Any,
            ),
            (
                "A blocked customer orders nothing",
                "customer",
                "block",
                Said::One,
            ),
            (
                "The source account is frozen",
                "account",
                "freeze",
                Said::Nothing,
            ),
            (
                "The customer is not blocked",
                "customer",
                "block",
                Said::Nothing,
            ),
            ("The order is blocked", "customer", "block", Said::Nothing),
            (
                "Only while no account is frozen",
                "account",
                "freeze",
                Said::Nothing,
            ),
        ] {
            let lead = Lead::Step(verb.to_owned());
            assert_eq!(says(text, noun, &lead), expected, "{text}");
        }
    }
}
