//! Partner: the state that a text says the record to be in with which a step is taken: "the terminal becomes `busy` with it", "its
//! terminal is idle again".

use openapi_document::{Node, Pointer};

use crate::checks;
use crate::exchange::Exchange;
use crate::model::{Call, Record, names, prose};
use crate::shape::Shape;

use super::following::{Follower, is_of_nothing};
use crate::laws::trial::answered::record_of;
use crate::laws::trial::draft::{Claim, Draft};
use crate::laws::trial::ground::Ground;
use crate::laws::trial::world::World;

/// The state of a kind of record that an operation is said to lead to, and the property that tells it.
pub(super) fn said<'d>(
    world: &World<'_, '_, '_, 'd>,
    call: &Call<'d>,
    kind: &Record<'d>,
) -> Option<(&'d str, &'d str)> {
    let document = world.model.document;
    let shape = Shape::of(document, Some(&kind.schema));
    let mut telling = shape.property_names().into_iter();
    let property = telling.find(|own| names::tells_state(own))?;
    let states = shape.property(document, property).known_values();
    let all = call.texts().flat_map(prose::sentences);
    let mut all = all.filter_map(|own| led_to(own, &kind.name, &states));
    let state = all.next()?;
    all.all(|own| own == state).then_some((property, state))
}

/// Holds the record against what is said of it.
pub(super) fn look<'d>(
    world: &World<'_, '_, '_, 'd>,
    (call, own): (&Call<'d>, &Follower<'_, 'd>),
    (after, done): (&Node, &Exchange),
    draft: &mut Draft,
) -> Option<()> {
    let (property, due) = said(world, call, own.maker.record()?)?;
    // What may yet come to nothing, or has, leads nowhere.
    let child = record_of(call, done)?;
    let mut states = child.entries().filter(|own| names::tells_state(&own.key));
    let is_nothing = states.any(|own| own.value.as_str().is_some_and(is_of_nothing));
    if is_nothing || world.model.is_moving(child) || world.model.is_moving(after) {
        return None;
    }
    let now = after.get(property)?;
    if now.as_str() != Some(due) {
        let pointer = Pointer::root().join(property);
        let expected = format!("{due:?} after `{}`, as a text says", call.operation.label());
        let actual = world.shown(own.maker, &pointer, Some(now));
        let claim = Claim::new(&checks::EFFECT_DIFFERS, Ground::Text, expected, actual).at(pointer);
        world.differ(draft, call, claim, done);
    }
    Some(())
}

/// What a sentence says a record of a kind to become, or to be again.
fn led_to<'s>(sentence: &str, kind: &str, states: &[&'s str]) -> Option<&'s str> {
    const WHOSE: [&str; 4] = ["the", "its", "that", "this"];
    const AGAIN: [&str; 4] = ["again", "then", "afterwards", "now"];
    const DOUBTFUL: [&str; 42] = [
        "if",
        "unless",
        "when",
        "while",
        "until",
        "once",
        "only",
        "must",
        "may",
        "can",
        "cannot",
        "not",
        "no",
        "never",
        "soon",
        "last",
        "reaches",
        "reached",
        "all",
        "every",
        "each",
        "nothing",
        "fully",
        "first",
        "or",
        "either",
        "otherwise",
        "after",
        "before",
        "full",
        "partial",
        "whole",
        "entire",
        "automatically",
        "eventually",
        "later",
        "where",
        "for",
        "on",
        "upon",
        "immediately",
        "next",
    ];
    let noun = names::words(kind).pop()?;
    let mut words = names::words(&sentence.to_lowercase());
    // `The terminal, if any, is idle again`
    if let Some(at) = words
        .windows(2)
        .position(|own| own[0] == "if" && own[1] == "any")
    {
        words.drain(at..at + 2);
    }
    // `With the payment that reaches it`, but `busy with it`
    let mut pairs = words.windows(2);
    let is_of_some = pairs.any(|own| own[0] == "with" && !matches!(own[1].as_str(), "it" | "them"));
    if prose::has(&words, &DOUBTFUL) || is_of_some {
        return None;
    }
    let mut places = 1..words.len();
    places.find_map(|at| {
        let is_it = words[at] == noun && WHOSE.contains(&words[at - 1].as_str());
        let (verb, rest) = words[at + 1..].split_first().filter(|_| is_it)?;
        let mut longest: Vec<(&'s str, Vec<String>)> = states
            .iter()
            .map(|own| (*own, names::words(&own.to_lowercase())))
            .collect();
        longest.sort_by_key(|own| std::cmp::Reverse(own.1.len()));
        let (state, length) = longest
            .into_iter()
            .find(|own| rest.starts_with(&own.1))
            .map(|own| (own.0, own.1.len()))?;
        let is_again = || {
            rest.get(length)
                .is_some_and(|own| AGAIN.contains(&own.as_str()))
        };
        let is_said = verb == "becomes" || (verb == "is" && is_again());
        is_said.then_some(state)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_who_takes_part() {
        let states = ["idle", "busy", "out_of_order"];
        for (text, expected) in [
            (
                "The payment becomes `in_progress` and the terminal becomes `busy` with it.",
                Some("busy"),
            ),
            (
                "The payment becomes `succeeded` and its terminal is idle again.",
                Some("idle"),
            ),
            ("The terminal, if any, is idle again.", Some("idle")),
            ("The terminal becomes out of order", Some("out_of_order")),
            (
                "With the payment that is left the terminal becomes `idle`",
                None,
            ),
            ("The terminal becomes `idle` as soon as it is paid", None),
            ("The terminal becomes `busy` or `out_of_order`", None),
            ("After the payment the terminal is idle again", None),
            ("The terminal must be idle again", None),
            ("The terminal is idle", None),
            ("The card becomes `busy`", None),
            ("If it fails, the terminal becomes `busy`", None),
        ] {
            assert_eq!(led_to(text, "card terminal", &states), expected, "{text}");
        }
    }
}
