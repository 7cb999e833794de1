//! What a part was taken of is in the state of that, and what all was taken of in another one, where the states of
//! the record tell the two apart. What is left to be taken is less by the part, and what its maker has said, or another
//! step has done, stands.

use openapi_document::node::Entry;
use openapi_document::{Node, Value};

use crate::checks::{self, Check};
use crate::exchange::Exchange;
use crate::model::{Call, Record};
use crate::names;
use crate::prose;
use crate::shape::Shape;

use crate::amount::Amount;

use super::flow::balances;
use super::lifted;
use super::parts::{self, state_after};
use crate::answered::{record_of, status};
use crate::laws::records::showing::{is_same, tells_of_deed};
use crate::scene::Scene;
use crate::scene::deeds::Deeds;
use crate::scene::draft::{Claim, Draft};
use crate::scene::ground::Ground;

/// Looks at the state of a record after an operation has taken a part of it, or all.
pub(crate) fn look<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    (before, after, is_part): (&Node, &Node, bool),
    taken: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    if is_under_way(scene, call, after, taken) {
        return None;
    }
    let document = scene.model.document;
    let shape = Shape::of(document, maker.record().map(|own| &own.schema));
    let states = || after.entries().filter(|own| names::tells_state(&own.key));
    let known = |name: &str| lifted::property(document, &shape, name).known_values();
    let is_of_parts = |own: &&Entry| {
        let known = known(&own.key);
        state_after(&known, call.operation.path, is_part).is_some()
    };
    // That of the record itself, or the one within it whose words are those of parts.
    let mut own = states().filter(|own| !own.key.contains('.'));
    let own = own.next().filter(|_| own.next().is_none());
    let within = states().find(|own| own.key.contains('.') && is_of_parts(own));
    let state = own
        .filter(|own| within.is_none() || is_of_parts(own))
        .or(within)?;
    let known = known(&state.key);
    let now = state.value.as_str()?;
    let was = before.get(&state.key).and_then(Node::as_str)?;
    let after = |is_part| state_after(&known, call.operation.path, is_part);
    let (due, opposite) = match after(is_part).zip(after(!is_part)) {
        Some(both) => both,
        None if is_part => (was, when_all(call, &known)?),
        None => (when_all(call, &known)?, was),
    };
    if now == due || due == opposite || (now != opposite && now != was) {
        return None;
    }
    let pointer = lifted::at(&state.key);
    let part = if is_part { "a part" } else { "all" };
    let claim = Claim::new(
        &checks::STEP_UNDONE,
        Ground::Names,
        format!("\"{due}\": {part} of it was taken"),
        scene.shown(maker, &pointer, Some(&state.value)),
    )
    .at(pointer);
    scene.differ(draft, call, claim, taken);
    Some(())
}

/// Whether what was taken may still change its record, or itself.
fn is_under_way<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    call: &Call<'d>,
    record: &Node,
    taken: &Exchange,
) -> bool {
    let moves = |own: &Node| scene.model.is_moving(own);
    status(taken) == Some(202) || moves(record) || record_of(call, taken).is_some_and(moves)
}

/// The state that an operation is said to lead to when nothing is left: `it becomes paid as soon as nothing is due`.
fn when_all<'s>(call: &Call<'_>, states: &[&'s str]) -> Option<&'s str> {
    const WHEN: [&str; 4] = ["when", "once", "soon", "if"];
    const ALL: [&str; 6] = ["nothing", "fully", "full", "all", "whole", "completely"];
    let text = call.operation.at.node.get("description")?.as_str()?;
    prose::spoken(text).iter().find_map(|words| {
        let has = |list: &[&str]| prose::has(words, list);
        let is_named = |state: &&&'s str| {
            let state = names::words(&state.to_lowercase());
            words.windows(state.len()).any(|own| own == state)
        };
        let mut named = states.iter().filter(is_named);
        let only = named.next().filter(|_| named.next().is_none())?;
        (has(&WHEN) && has(&ALL) && !has(&["not", "unless"])).then_some(*only)
    })
}

/// Looks at what an operation that takes a part has to leave alone, and at what it counts.
pub(crate) fn leaves<'d>(
    scene: &Scene<'_, '_, '_, 'd>,
    (call, maker): (&Call<'d>, &Call<'d>),
    (before, after, part): (&Node, &Node, Amount),
    taken: &Exchange,
    draft: &mut Draft,
) -> Option<()> {
    if is_under_way(scene, call, after, taken) {
        return None;
    }
    let own = names::words(&call.about);
    let [verb] = &own[..] else { return None };
    let mut others = Deeds::of(scene, maker);
    others.words.retain(|own| own != verb);
    let document = scene.model.document;
    let said = Shape::of(document, maker.body.as_ref()).property_names();
    let (left, asked) = (balances(before), Shape::of(document, call.body.as_ref()));
    let asked = asked.property_names();
    for entry in before.entries() {
        let name = entry.key.as_str();
        let words = names::words(lifted::own_name(name));
        let is_own = words
            .iter()
            .any(|own| own == verb || names::is_done(own, verb) || is_able(own, verb));
        let is_amount = Amount::read(&entry.value).is_some();
        let is_whole = entry.value.as_mapping().is_none() && entry.value.as_sequence().is_none();
        let is_plain = is_whole || is_amount;
        // An amount that is asked for may become that of the record, where that has no other place.
        let is_apart = parts::counted(before, call.operation.path).is_some();
        let is_left = !left.contains(&name) && (is_apart || !asked.contains(&name));
        let is_said = said.contains(&name) && is_plain && is_left;
        let is_deed = others.speak_in(name)
            && !name.contains('.')
            && match &entry.value.value {
                Value::Bool(flag) => *flag,
                Value::String(_) => tells_of_deed(name),
                _ => Amount::read(&entry.value).is_some(),
            };
        let due = if is_own {
            counted(entry, (&words, verb), (part, lets_go(call)))
        } else if (is_said || is_deed) && !entry.value.is_null() && !names::tells_state(name) {
            Some((&checks::PATCH_CHANGED_MORE, entry.value.clone()))
        } else {
            None
        };
        let is_told = maker
            .record()
            .is_some_and(|own| hangs_on_state(scene, own, name));
        let now = after.get(name).filter(|_| !is_told);
        let Some((check, due)) = due.filter(|own| now.is_some_and(|now| !is_same(now, &own.1)))
        else {
            continue;
        };
        let pointer = lifted::at(name);
        let claim = Claim::new(
            check,
            Ground::Names,
            format!(
                "{} when a part was taken",
                scene.shown(maker, &pointer, Some(&due))
            ),
            scene.shown(maker, &pointer, now),
        )
        .at(pointer);
        scene.differ(draft, call, claim, taken);
    }
    Some(())
}

/// What counts how often something was taken, or how much may be yet: `refundCount`, `amountRefundable`.
fn counted(
    entry: &Entry,
    (words, verb): (&[String], &str),
    (part, is_let_go): (Amount, Option<bool>),
) -> Option<(&'static Check, Node)> {
    let own = Amount::read(&entry.value)?;
    let has = |wanted: &dyn Fn(&String) -> bool| words.iter().any(wanted);
    let rest =
        |own: &&String| !matches!(own.as_str(), "amount" | "total" | "count" | "number" | "of");
    let is_alone = words.iter().filter(rest).count() == 1;
    let due = if has(&|own| is_able(own, verb)) && own.is_of_unit(part) {
        if is_let_go? {
            own.with(0)
        } else {
            own.plus(part.with(-part.units))?
        }
    } else if has(&|own| own == "count") && own.is_whole() {
        own.with(own.units + 1)
    } else {
        return None;
    };
    is_alone.then(|| (&checks::SUM_DIFFERS, due.node()))
}

/// Whether an operation is said to let go of what it does not take: `the rest of the hold is released`. Of one that does so at the end,
/// as `a final capture releases the rest`, nothing is known.
fn lets_go(call: &Call<'_>) -> Option<bool> {
    const REST: [&str; 4] = ["rest", "remainder", "remaining", "uncaptured"];
    const GONE: [&str; 7] = [
        "released",
        "releases",
        "release",
        "voided",
        "cancelled",
        "canceled",
        "dropped",
    ];
    const AT_THE_END: [&str; 2] = ["final", "last"];
    let verb = names::words(&call.about).pop().unwrap_or_default();
    // `What is not captured is released` says as much.
    let is_rest = |words: &[String]| {
        let untaken = |own: &[String]| own[0] == "not" && names::is_done(&own[1], &verb);
        prose::has(words, &REST) || words.windows(2).any(untaken)
    };
    let spoken = call.spoken();
    let says = |own: &&Vec<String>| is_rest(own) && prose::has(own, &GONE);
    let said: Vec<_> = spoken.iter().filter(says).collect();
    let is_at_the_end = |own: &&Vec<String>| prose::has(own, &AT_THE_END);
    if !said.is_empty() && said.iter().all(is_at_the_end) {
        return None;
    }
    Some(!said.is_empty())
}

/// Whether a word says that what a verb asks for may be done: `refundable`.
fn is_able(word: &str, verb: &str) -> bool {
    let stem = word.strip_suffix("able");
    stem.is_some_and(|own| own == verb || verb.strip_suffix('e') == Some(own))
}

/// Whether a property may change with the state of its record, as its description says.
fn hangs_on_state<'d>(scene: &Scene<'_, '_, '_, 'd>, kind: &Record<'d>, name: &str) -> bool {
    let document = scene.model.document;
    let shape = Shape::of(document, Some(&kind.schema));
    let own = shape.property(document, name);
    let text = own.keyword("description").and_then(Node::as_str);
    let state = names::own_state(shape.property_names().into_iter());
    let states = state.map(|own| shape.property(document, own).known_values());
    text.zip(states)
        .is_some_and(|(text, states)| tells_of_states(text, &states))
}

/// Whether a text says what is so in some states only: `0.00` unless it is `authorized`.
fn tells_of_states(text: &str, states: &[&str]) -> bool {
    const LINKS: [&str; 6] = ["unless", "while", "when", "once", "if", "otherwise"];
    let states = states.iter().map(|own| names::words(own));
    let states: Vec<Vec<String>> = states.filter(|own| !own.is_empty()).collect();
    prose::spoken(text).iter().any(|words| {
        let is_named = |state: &Vec<String>| words.windows(state.len()).any(|own| own == state);
        prose::has(words, &LINKS) && states.iter().any(is_named)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_of_states() {
        let states = ["authorized", "on_hold", ""];
        for (text, expected) in [
            (
                "What can be captured. `0.00` unless it is `authorized`.",
                true,
            ),
            ("Null while the payment is on hold", true),
            ("What was authorized", false),
            ("Null when nothing is left", false),
        ] {
            assert_eq!(tells_of_states(text, &states), expected, "{text}");
        }
    }

    #[test]
    fn what_counts_what_was_taken() {
        let record = r#"{"refundCount":1,"amountRefundable":50,"refunded":20,"refundCountryCount":1,"refundable":true}"#;
        let record = openapi_document::json::read_text(record).unwrap();
        let part = Amount::read(&openapi_document::json::read_text("20").unwrap()).unwrap();
        let due = |name: &str| {
            let mut entries = record.entries();
            let entry = entries.find(|own| own.key == name).unwrap();
            let words = names::words(name);
            counted(entry, (&words, "refund"), (part, Some(false))).map(|own| own.1.to_json())
        };
        for (name, expected) in [
            ("refundCount", Some("2")),
            ("amountRefundable", Some("30")),
            ("refunded", None),
            ("refundCountryCount", None),
            ("refundable", None),
        ] {
            assert_eq!(due(name).as_deref(), expected, "{name}");
        }
    }
}
