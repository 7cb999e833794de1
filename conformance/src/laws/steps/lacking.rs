//! Lacking: what a sentence says that names a state which a record is not in. Pure.

use std::collections::BTreeSet;

use crate::model::{names, prose};

use super::stated::{Stated, take, words};

/// What a refusal says that names a state which the record lacks. Where the step was seen to lead from that one: `the
/// order has not been shipped` bars what the record was in before; where it was made so, all others. Where the step has
/// led from how the record was made, though it lacks another state by the text, it is barred there.
pub(super) fn read<'s>(
    (text, kind): (&str, &str),
    states: &[&'s str],
    (state, before): (&str, &BTreeSet<String>),
) -> Option<Stated<'s>> {
    let lacked = lacked(text, states)?;
    if lacked != state {
        if grants(text) {
            return None;
        }
        let last = kind.rsplit(' ').next().unwrap_or_default();
        let is_of_kind = names::words(text)
            .iter()
            .any(|own| own.eq_ignore_ascii_case(last));
        let own = states.iter().copied().find(|own| *own == state);
        return own
            .filter(|_| is_of_kind && before.is_empty())
            .map(|own| Stated::Not(vec![own]));
    }
    if refuses_all_but(text, kind, lacked) {
        let only = Stated::Only(vec![lacked]);
        let others = states.iter().copied().filter(|own| only.bars(own, ""));
        return Some(Stated::Not(others.collect()));
    }
    if before.is_empty() {
        return Some(Stated::only(text, vec![lacked]));
    }
    let before = states.iter().copied().filter(|own| before.contains(*own));
    Some(Stated::Not(before.collect()))
}

/// The state that a sentence says a record is not in, but has to be.
pub(super) fn lacked<'s>(text: &str, states: &[&'s str]) -> Option<&'s str> {
    const NOT: [&str; 5] = ["not", "isn", "hasn", "must", "no"];
    const BETWEEN: [&str; 7] = ["been", "be", "yet", "t", "in", "have", "longer"];
    let words = words(text);
    let is_lacked = |state: &&'s str| {
        let own = names::words(&state.to_lowercase());
        let places = take(&mut words.clone(), &own);
        places.into_iter().any(|at| {
            let mut before = words[..at].iter().rev();
            let first = before.find(|own| !BETWEEN.contains(&own.as_str()));
            first.is_some_and(|own| NOT.contains(&own.as_str()))
        })
    };
    let mut lacked = states.iter().copied().filter(is_lacked);
    lacked.next().filter(|_| lacked.next().is_none())
}

/// The state that a sentence says both of two records have to be in.
pub(super) fn due_of_both<'s>(text: &str, states: &[&'s str]) -> Option<&'s str> {
    let words = words(text);
    let is_due = |state: &&'s str| {
        let own = names::words(&state.to_lowercase());
        let places = take(&mut words.clone(), &own);
        places.into_iter().any(|at| has_to_be(&words[..at]))
    };
    let is_of_both = prose::has(&words, &["both"]) && !prose::has(&words, &["not", "no"]);
    let mut due = states.iter().copied().filter(is_due);
    due.next().filter(|_| is_of_both && due.next().is_none())
}

/// Whether words end with what is asked for: `both cards have to be`.
fn has_to_be(words: &[String]) -> bool {
    let [.., first, to, be] = words else {
        return false;
    };
    let is_asked = matches!(first.as_str(), "have" | "has" | "need" | "needs");
    is_asked && to == "to" && be == "be"
}

/// Whether a sentence that says which state a record is not in says that something is granted then, or says it of another
/// record: `for a subscription that is not cancelled (409)`, `to which they have another subscription that is not cancelled`.
fn grants(text: &str) -> bool {
    const GRANTED: [&str; 6] = ["200", "201", "204", "granted", "accepted", "allowed"];
    let all = words(text);
    let plain = words(&prose::without_asides(text));
    let is_beside = |code: &str| {
        let has = |own: &[String]| own.iter().any(|own| own == code);
        has(&all) && !has(&plain)
    };
    let is_refused = prose::has(&plain, &["refused", "rejected", "cannot"]);
    let is_of_other = prose::has(&plain, &["another", "other"]);
    let is_told_beside = (is_beside("409") || is_beside("422")) && !is_refused;
    is_of_other || is_told_beside || prose::has(&plain, &GRANTED)
}

/// Whether a sentence says of a kind of record that it is refused in any state but one: `an invoice that is not open is refused`.
fn refuses_all_but(text: &str, kind: &str, state: &str) -> bool {
    const REFUSED: [&str; 4] = ["refused", "rejected", "409", "422"];
    let words = words(text);
    let noun = kind.rsplit(' ').next().unwrap_or_default();
    let state = names::words(&state.to_lowercase());
    let is_not = words.windows(state.len() + 2).any(|own| {
        let is = matches!(own[0].as_str(), "is" | "are");
        is && own[1] == "not" && own[2..] == state[..]
    });
    let is_of_kind = words.iter().any(|own| names::singular(own) == noun);
    let is_plain = !prose::has(&words, &["unless", "if", "yet", "except", "only"]);
    is_not && is_of_kind && is_plain && prose::has(&words, &REFUSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_granted_where_a_state_is_lacking() {
        for (text, expected) in [
            (
                "Issues an invoice for a subscription that is not cancelled (`409`, `subscription_cancelled`)",
                true,
            ),
            (
                "A change to a plan to which they have another subscription that is not cancelled is refused with `409`",
                true,
            ),
            (
                "The same values sent to a subscription that is not cancelled are answered with `200`",
                true,
            ),
            ("A stay that is not confirmed gives `409`", false),
            ("An invoice that is not open is refused (`409`)", false),
            ("The order has not been shipped", false),
        ] {
            assert_eq!(grants(text), expected, "{text}");
        }
    }

    #[test]
    fn sentences_that_refuse_all_states_but_one() {
        for (text, expected) in [
            ("An invoice that is not `open` is refused with `409`", true),
            ("Invoices that are not open are rejected", true),
            ("An invoice that is not open yet is refused", false),
            ("A payment that is not open is refused", false),
            ("The invoice is not open", false),
        ] {
            let found = refuses_all_but(text, "invoice", "open");
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn marks_mean_that_state_alone() {
        let states = ["authorised", "partially_captured", "captured"];
        for (text, expected) in [
            ("Status is not `authorised`.", true),
            ("The payment is not authorised.", false),
        ] {
            let read = read((text, "payment"), &states, ("authorised", &BTreeSet::new()));
            let bars = read.is_some_and(|own| own.bars("partially_captured", "cancel"));
            assert_eq!(bars, expected, "{text}");
        }
    }

    #[test]
    fn what_both_have_to_be() {
        let states = ["open", "paid"];
        for (text, expected) in [
            ("Both orders have to be open", Some("open")),
            ("The order has to be paid within 7 days", None),
            ("Both orders do not have to be open", None),
        ] {
            assert_eq!(due_of_both(text, &states), expected, "{text}");
        }
    }

    #[test]
    fn what_a_record_lacks() {
        let states = ["open", "paid", "shipped"];
        for (text, expected) in [
            ("The order is not paid", Some("paid")),
            ("The order has not been shipped yet", Some("shipped")),
            ("It must be open", Some("open")),
            ("A paid order is not shipped twice", Some("shipped")),
            ("A paid order cannot be shipped", None),
            ("Neither paid nor open", None),
            ("It is not open and not paid", None),
        ] {
            assert_eq!(lacked(text, &states), expected, "{text}");
        }
    }
}
