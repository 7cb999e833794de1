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
        let is_barred = own[0] == "cannot" && own[1] == "be" && is_it(&own[2]);
        is_barred && words[..at].iter().any(|own| names::singular(own) == kind)
    })
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
