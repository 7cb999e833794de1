//! Renamed: a number that is sent to a step, and that the documented pair shows to be one of its record under another
//! name, is what that becomes: `amount_to_capture` is the `amount_received`. Nothing more is sent for it.

use std::cmp::Ordering;

use openapi_document::Node;

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Role, names};
use crate::shape::Shape;

use crate::laws::amounts::amount::Amount;
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::{Ready, World};

/// A number of fewer units may be the same as another one by chance.
const TELLING: i128 = 100;

/// Looks at the numbers that a step was sent.
pub(super) fn look<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (ready, exchange): (&Ready<'_, 'd>, &Exchange),
    draft: &mut Draft,
) {
    let (Some(sent), Some(record), Some(kind)) = (
        exchange.sent.json.as_ref(),
        record_of(call, exchange).filter(|own| !world.model.is_moving(own)),
        call.record().filter(|_| call.role == Role::Change),
    ) else {
        return;
    };
    for entry in sent.entries() {
        of_step(
            world,
            call,
            (&entry.key, &entry.value),
            (record, exchange),
            draft,
        );
    }
    let Some((_, before)) = world.made_before(call, ready) else {
        return;
    };
    let shown = world.ways(call).into_iter().filter_map(|own| own.split());
    let shown: Vec<(&Node, &Node)> = shown
        .filter_map(|(step, _)| {
            let answered = step.expected.example?.at(&kind.at)?;
            Some((step.expected.request_example?, answered))
        })
        .collect();
    for entry in sent.entries() {
        let names = shown
            .iter()
            .filter_map(|own| becomes(&entry.key, own.0, own.1));
        let mut names: Vec<&str> = names.collect();
        names.dedup();
        let ([name], Some(due)) = (&names[..], Amount::read(&entry.value)) else {
            continue;
        };
        let is_nothing = |own: &Node| Amount::read(own).is_some_and(|own| own.units == 0);
        let was_nothing = before.get(name).is_some_and(is_nothing);
        let own = record.get(name).and_then(Amount::read);
        let Some(own) = own.filter(|_| was_nothing) else {
            continue;
        };
        if own.compared(due) != Some(Ordering::Equal) {
            let expected = format!(
                "{}, which was sent as `{}`",
                due.node().to_json(),
                entry.key
            );
            let told = own.node().to_json();
            let claim = Claim::new(&checks::EFFECT_DIFFERS, Ground::Pair, expected, told)
                .at(kind.at.join(*name));
            world.differ(draft, call, claim, exchange);
        }
    }
}

/// One of a closed list that is sent to a step is what its record has under the name of both: the `reason` of `cancel` is
/// the `cancel_reason`.
fn of_step<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    (name, sent): (&str, &Node),
    (record, exchange): (&Node, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let document = world.model.document;
    let kind = call.record()?;
    let told = Shape::of(document, Some(&kind.schema));
    let asked = Shape::of(document, call.body.as_ref()).property(document, name);
    let both = told.property_names().into_iter();
    let mut both = both.filter(|own| is_of_step(&call.about, name, own));
    let own = both.next().filter(|_| both.next().is_none())?;
    let known = told.property(document, own).known_values();
    let asked = asked.known_values();
    let is_listed = !asked.is_empty() && asked.iter().all(|own| known.contains(own));
    let now = record
        .get(own)
        .filter(|now| is_listed && !now.same_value(sent))?;
    let due = format!("{}, which was sent as `{name}`", sent.to_json());
    let claim = Claim::new(&checks::ECHO, Ground::Pair, due, now.to_json()).at(kind.at.join(own));
    world.differ(draft, call, claim, exchange);
    Some(())
}

/// Whether a name is that of a step and what is sent to it: `cancel_reason`, `cancellation_reason`.
fn is_of_step(step: &str, sent: &str, name: &str) -> bool {
    let (words, sent) = (names::words(name), names::words(sent));
    let Some((first, rest)) = words.split_first() else {
        return false;
    };
    let is_step = first == step || names::is_done(first, step) || {
        let stem = step.strip_suffix('e').unwrap_or(step);
        stem.len() > 3 && first.starts_with(stem) && first.ends_with("ion")
    };
    is_step && rest == sent
}

/// The only property of a documented answer that has the number of a property of the request, under another name.
fn becomes<'e>(sent: &str, request: &Node, answer: &'e Node) -> Option<&'e str> {
    let value = request.get(sent)?;
    let is_telling = Amount::read(value).is_some_and(|own| own.units >= TELLING);
    let is_same = |own: &Node| own.same_value(value);
    let times = request.entries().filter(|own| is_same(&own.value)).count();
    let mut found = answer.entries().filter(|own| is_same(&own.value));
    let only = found.next().filter(|_| found.next().is_none())?;
    let is_told = is_telling && times == 1 && answer.get(sent).is_none();
    is_told.then_some(only.key.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_steps() {
        for (step, name, expected) in [
            ("cancel", "cancel_reason", true),
            ("cancel", "canceledReason", true),
            ("cancel", "cancellation_reason", true),
            ("refund", "cancel_reason", false),
            ("cancel", "reason", false),
            ("cancel", "cancel_note", false),
        ] {
            assert_eq!(is_of_step(step, "reason", name), expected, "{name}");
        }
    }

    #[test]
    fn what_numbers_become() {
        for (request, answer, expected) in [
            (r#"{"a":8000}"#, r#"{"b":8000,"c":9000}"#, Some("b")),
            (r#"{"a":"80.00"}"#, r#"{"b":"80.00"}"#, Some("b")),
            // Of two, of its own name, by chance, and not at all.
            (r#"{"a":8000}"#, r#"{"b":8000,"c":8000}"#, None),
            (r#"{"a":8000}"#, r#"{"a":0,"b":8000}"#, None),
            (r#"{"a":3}"#, r#"{"b":3}"#, None),
            (r#"{"a":8000,"d":8000}"#, r#"{"b":8000}"#, None),
            (r#"{"a":8000}"#, r#"{"b":9000}"#, None),
        ] {
            let read = |text| openapi_document::json::read_text(text).unwrap();
            let (request, answer) = (read(request), read(answer));
            assert_eq!(becomes("a", &request, &answer), expected);
        }
    }
}
