//! Led from: what the first words of a step say that it is taken on: "voids an `authorized` charge". Pure.

use crate::names;

/// The states of what a step is said to be taken on, written as the wire has them: "captures an `authorised` or `partially_captured`
/// payment", "cancels a payment that is `authorised`".
pub(crate) fn led_from<'s>(
    sentence: &str,
    states: &[&'s str],
    (verb, kind): (&str, &str),
) -> Vec<&'s str> {
    const BETWEEN: [&str; 12] = [
        "a", "an", "the", "your", "or", "and", "that", "which", "is", "in", "status", "state",
    ];
    let sentence = sentence.split([';', ':']).next().unwrap_or_default();
    let edges = |own: char| !(own.is_alphanumeric() || own == '`' || own == '_');
    let mut words = sentence.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    let is_verb = [&format!("{verb}s"), &format!("{verb}es"), verb].contains(&&*first);
    let noun = kind.rsplit(' ').next().unwrap_or_default();
    let (mut found, mut has_kind) = (Vec::new(), false);
    for word in words.filter(|_| is_verb) {
        let own = word.trim_matches(edges);
        let marked = own.strip_prefix('`').and_then(|own| own.strip_suffix('`'));
        let state = marked.and_then(|own| states.iter().find(|state| **state == own));
        let is_kind = names::singular(&own.to_lowercase()) == noun;
        match state {
            Some(state) => found.push(*state),
            None if is_kind && !has_kind => has_kind = true,
            None if BETWEEN.contains(&&*own.to_lowercase()) => {}
            None => break,
        }
        // What comes behind a comma is said beside, but for another state.
        if word.ends_with(',') && has_kind && state.is_none() {
            break;
        }
    }
    if has_kind { found } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_a_step_is_said_to_be_taken_on() {
        let states = ["authorised", "partially_captured", "captured", "cancelled"];
        for (sentence, expected) in [
            (
                "Captures an `authorised` or `partially_captured` payment, in full or in parts",
                vec!["authorised", "partially_captured"],
            ),
            (
                "Captures a payment that is `authorised`",
                vec!["authorised"],
            ),
            ("Captures an authorised payment", vec![]),
            ("Captures the card of an `authorised` payment", vec![]),
            ("Captures a payment; it becomes `captured`", vec![]),
            ("The payment is `captured` then", vec![]),
        ] {
            let found = led_from(sentence, &states, ("capture", "payment"));
            assert_eq!(found, expected, "{sentence}");
        }
    }
}
