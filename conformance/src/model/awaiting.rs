//! Awaiting: states that wait for a step, though their word says that they may end by themselves: `pending`, where a
//! refusal says `the order is not pending`, or `only pending orders can be paid`.

use std::collections::BTreeSet;

use spec::Node;

use super::{Call, names, prose};

/// Words that stand before a state which a step leads from.
const BEFORE: [&str; 4] = ["not", "only", "must", "isn"];

/// Words that may stand between.
const BETWEEN: [&str; 7] = ["a", "an", "be", "in", "still", "t", "longer"];

/// The states that the refusals of steps ask for, in lower case.
pub(super) fn states(calls: &[Call<'_>]) -> BTreeSet<String> {
    let texts = calls.iter().flat_map(|call| {
        let refusals = [409, 422]
            .into_iter()
            .filter_map(|code| call.response(code));
        refusals.filter_map(|own| own.at.node.get("description").and_then(Node::as_str))
    });
    texts.flat_map(asked_for).collect()
}

/// The states that a text asks for.
fn asked_for(text: &str) -> Vec<String> {
    let parts = prose::sentences(text).into_iter();
    let sentences = parts.flat_map(|own| own.split(','));
    let of_sentence = |sentence: &str| {
        let words = names::words(&sentence.to_lowercase());
        let is_asked = |at: usize| {
            let mut before = words[..at].iter().rev();
            before
                .find(|own| !BETWEEN.contains(&own.as_str()))
                .is_some_and(|own| BEFORE.contains(&own.as_str()))
        };
        let states = (0..words.len()).filter(|at| names::is_moving_word(&words[*at]));
        states
            .filter(|at| is_asked(*at))
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
            ("The payment is still pending.", vec![]),
            ("It cannot be refunded while it is pending.", vec![]),
        ] {
            assert_eq!(asked_for(text), expected, "{text}");
        }
    }
}
