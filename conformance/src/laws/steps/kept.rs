//! Kept: what the text of a deletion says to be in its way, where its refusal is shared and says nothing of it. Pure.

use crate::model::{Call, names, prose};

use super::stated::words;

/// What the text of a deletion says to be in its way: `an event with bookings cannot be deleted`.
pub(super) fn said(call: &Call<'_>, verb: Option<String>) -> Vec<String> {
    let subject = call
        .operation
        .path
        .rsplit('/')
        .find(|own| !own.contains('{'));
    let kind = names::words(&names::singular(subject.unwrap_or_default()));
    let (Some(kind), Some(verb)) = (kind.last(), verb) else {
        return Vec::new();
    };
    if call.first_of(&[409, 422]).is_none() {
        return Vec::new();
    }
    let said = call.texts().flat_map(prose::sentences);
    let said = said.filter(|own| says_kept(&words(own), kind, &verb));
    said.map(str::to_owned).collect()
}

/// Whether words say of a kind of record that some of it cannot be deleted.
fn says_kept(words: &[String], kind: &str, verb: &str) -> bool {
    let is_it = |own: &String| {
        let verbs = [verb, "delete", "remove"];
        verbs.iter().any(|verb| names::is_done(own, verb))
    };
    let mut places = words.windows(3).enumerate();
    places.any(|(at, own)| {
        let rest = &words[at + 3..];
        let cannot = own[0] == "cannot" && own[1] == "be";
        // What is not deleted may be archived instead.
        let is_refused = prose::has(rest, &["refused", "rejected", "409", "422"]);
        let is_not = own[0] == "is" && own[1] == "not" && is_refused;
        let is_plain = !prose::has(rest, &["unless", "until", "immediately", "permanently"]);
        let is_barred = (cannot || is_not) && is_plain;
        is_barred && is_it(&own[2]) && has_one(&words[..at], kind)
    })
}

/// Whether words say of a kind of record that it has something, whatever that is like.
fn has_one(words: &[String], kind: &str) -> bool {
    let Some(at) = words.iter().position(|own| names::singular(own) == kind) else {
        return false;
    };
    let rest: Vec<&str> = words[at + 1..].iter().map(String::as_str).collect();
    let rest = rest.strip_prefix(&["that"]).unwrap_or(&rest);
    let ["with" | "has" | "have" | "having", rest @ ..] = rest else {
        return false;
    };
    let whatever = |own: &[&str]| matches!(own, ["even" | "whatever", ..] | ["in", "whatever", ..]);
    match rest {
        // Of two words the first may tell which of them: those that stand in whatever state are told of as a whole.
        ["at", "least", "one", _, more @ ..] if more.is_empty() || whatever(more) => true,
        ["at", "least", "one", _, _, more @ ..] => whatever(more),
        ["any" | "a" | "an", _, more @ ..] | [_, more @ ..] => more.is_empty() || whatever(more),
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_from_its_deletion() {
        for (text, expected) in [
            (
                "An event with bookings cannot be deleted (`has_bookings`)",
                true,
            ),
            ("Events that have bookings cannot be removed.", true),
            ("A deleted event cannot be used for new bookings", false),
            (
                "An event with bookings, even if all are cancelled, cannot be deleted",
                true,
            ),
            ("An event with a booking cannot be deleted", true),
            ("An event with overdue bookings cannot be deleted", false),
            (
                "An event with at least one sold ticket, in whatever status, is not deleted but refused",
                true,
            ),
            (
                "An event with at least one sold ticket is not deleted (409)",
                false,
            ),
            ("An event with bookings is not deleted but archived", false),
            (
                "An event with bookings cannot be deleted until they are over",
                false,
            ),
            ("Its bookings cannot be deleted", false),
            ("Deletes an event that has no bookings.", false),
        ] {
            assert_eq!(
                says_kept(&words(text), "event", "delete"),
                expected,
                "{text}"
            );
        }
    }
}
