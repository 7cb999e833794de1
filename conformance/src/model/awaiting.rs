//! Awaiting states: states that wait for a step although their word suggests that they end by themselves.
//!
//! The document shows this in three ways: a refusal such as `the order is not pending`, a condition such as `only
//! pending orders can be paid`, or an end such as `pending until its first invoice is paid`.

use std::collections::BTreeSet;

use openapi_document::Node;

use super::{Call, Role};
use crate::names;
use crate::prose;

/// Words before a state that a step requires.
const BEFORE: [&str; 4] = ["not", "only", "must", "isn"];

/// Words that may stand between such a word and the state.
const BETWEEN: [&str; 15] = [
    "a", "an", "be", "in", "still", "t", "longer", "with", "status", "state", "the", "that",
    "which", "are", "is",
];

/// The states that steps require or end, in lower case.
pub(super) fn states(calls: &[Call<'_>]) -> BTreeSet<String> {
    let texts = calls.iter().flat_map(|call| {
        let refusals = [409, 422]
            .into_iter()
            .filter_map(|code| call.response(code));
        refusals.filter_map(|response| response.at.node.get("description").and_then(Node::as_str))
    });
    let verbs: Vec<String> = calls.iter().filter_map(verb).collect();
    let said = calls.iter().flat_map(Call::texts);
    let ended = said.flat_map(|text| ended_by(text, &verbs));
    // The text of a step can name the state in which it is refused.
    let refuses = |call: &&Call<'_>| {
        let is_on_one = matches!(call.role, Role::Change | Role::Create);
        let is_step = is_on_one && call.operation.path.contains('{');
        is_step && call.first_of(&[409, 422]).is_some()
    };
    let of_steps = calls.iter().filter(refuses).flat_map(Call::texts);
    let of_steps = of_steps.flat_map(prose::sentences);
    let of_steps = of_steps.filter(|sentence| leads_from(sentence));
    let led = calls.iter().filter(refuses).flat_map(led_from);
    texts
        .chain(of_steps)
        .flat_map(asked_for)
        .chain(ended)
        .chain(led)
        .collect()
}

/// Whether a sentence of a step can name the state that it requires. A negation such as "must not be pending" does
/// not count, unless the sentence describes a refusal.
fn leads_from(sentence: &str) -> bool {
    let words = names::words(&sentence.to_lowercase());
    let has = |pair: [&str; 2]| words.windows(2).any(|part| part == pair);
    let is_refused = prose::has(&words, &["409", "422", "cannot", "refused", "rejected"]);
    // Text in backticks does not count: a code such as `order_not_payable` contains `not`.
    !prose::has(&prose::unmarked(sentence), &["not"])
        || ((is_refused || has(["can", "not"])) && !has(["must", "not"]))
}

/// The state that the first sentence words name as the object of the step: `Approve a pending request`.
fn led_from(call: &Call<'_>) -> Vec<String> {
    // Verbs such as `cancel` are absent: a record can be cancelled before its state ends by itself.
    const DECIDES: [&str; 14] = [
        "approve",
        "release",
        "confirm",
        "accept",
        "pay",
        "sign",
        "submit",
        "review",
        "reject",
        "authorize",
        "complete",
        "activate",
        "publish",
        "start",
    ];
    let verb = names::words(&call.about)
        .into_iter()
        .next()
        .filter(|word| DECIDES.contains(&word.as_str()))
        .unwrap_or_default();
    let of_sentence = |sentence: &str| {
        let words = names::words(&sentence.to_lowercase());
        let (first, rest) = words.split_first()?;
        let is_verb = *first == verb || first.strip_suffix('s') == Some(&verb);
        let mut rest = rest
            .iter()
            .skip_while(|word| matches!(word.as_str(), "a" | "an" | "the"));
        rest.next()
            .filter(|word| is_verb && names::is_moving_word(word))
            .cloned()
    };
    call.texts()
        .flat_map(prose::sentences)
        .filter_map(of_sentence)
        .collect()
}

/// The verb of a step, from its path.
fn verb(call: &Call<'_>) -> Option<String> {
    let words = names::words(&call.about);
    words
        .into_iter()
        .next()
        .filter(|_| call.role == Role::Change)
}

/// The states that last until one of `verbs` happens: `pending until it is paid`.
fn ended_by(text: &str, verbs: &[String]) -> Vec<String> {
    let of_sentence = |sentence: &str| {
        let words = names::words(&sentence.to_lowercase());
        let until = words.iter().position(|word| word == "until");
        let (before, after) = words.split_at(until.unwrap_or(words.len()));
        let is_ended = |word: &String| verbs.iter().any(|verb| names::is_done(word, verb));
        let state = before.last().filter(|word| names::is_moving_word(word));
        state.filter(|_| after.iter().any(is_ended)).cloned()
    };
    prose::sentences(text)
        .into_iter()
        .filter_map(of_sentence)
        .collect()
}

/// The states that a text requires: `only pending orders`, `not pending`.
fn asked_for(text: &str) -> Vec<String> {
    let parts = prose::sentences(text).into_iter();
    let sentences = parts.flat_map(|text| text.split(','));
    let of_sentence = |sentence: &str| {
        let words = names::words(&sentence.to_lowercase());
        let is_requested = |at: usize| {
            // `Only payments with status created can be sent`
            let is_between = |word: &String| BETWEEN.contains(&word.as_str());
            let mut before = words[..at].iter().rev().filter(|item| !is_between(item));
            let first = before.next();
            let asks = |word: &String| BEFORE.contains(&word.as_str());
            let of_noun = before.next();
            let is_noun = |word: &String| !matches!(word.as_str(), "one" | "single" | "two");
            let is_of_noun =
                first.is_some_and(is_noun) && of_noun.is_some_and(|word| word == "only");
            first.is_some_and(asks) || is_of_noun
        };
        let states = (0..words.len()).filter(|at| names::is_moving_word(&words[*at]));
        states
            .filter(|at| is_requested(*at))
            .map(|at| words[at].clone())
            .collect::<Vec<_>>()
    };
    sentences.flat_map(of_sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_wait_for_a_step() {
        for (text, expected) in [
            ("The order is not pending.", vec!["pending"]),
            ("Only pending orders can be paid.", vec!["pending"]),
            ("It must be in processing", vec!["processing"]),
            ("A pending payment cannot be refunded.", vec![]),
            (
                "Only payments with status `created` can be sent (409).",
                vec!["created"],
            ),
            (
                "Only payments in progress can be completed (409).",
                vec!["progress"],
            ),
            (
                "Only a wash that is `waiting` can be started.",
                vec!["waiting"],
            ),
            ("Tells whose payments are pending", vec![]),
            ("Only one pending refund at a time", vec![]),
            ("The payment is still pending.", vec![]),
            ("It cannot be refunded while it is pending.", vec![]),
        ] {
            assert_eq!(asked_for(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_name_the_state_a_step_requires() {
        for (text, expected) in [
            (
                "An order that is not pending can not be cancelled (409).",
                true,
            ),
            ("Only pending orders can be paid.", true),
            ("Only pending orders can be paid (`not_payable`).", true),
            ("The payout must not be processing, otherwise 409", false),
            ("Payments that are not processing can be cancelled", false),
        ] {
            assert_eq!(leads_from(text), expected, "{text}");
        }
    }

    #[test]
    fn states_that_a_step_ends() {
        let verbs = ["pay".to_owned(), "pause".to_owned()];
        for (text, expected) in [
            (
                "It is `pending` until its first invoice is paid",
                vec!["pending"],
            ),
            ("It is pending until the bank has answered", vec![]),
            ("A pending order is kept until it is paid", vec![]),
            ("It is pending. It is paid later", vec![]),
        ] {
            assert_eq!(ended_by(text, &verbs), expected, "{text}");
        }
    }
}
