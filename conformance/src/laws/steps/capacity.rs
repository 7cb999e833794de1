//! Capacity: recognises texts that limit how many records of an operation may exist, so that the run cancels its records.

use openapi_document::view::Document;

use crate::conflicts::Conflicts;
use crate::model::Call;
use crate::names;
use crate::prose;
use crate::shape::Shape;

/// Larger limits are ignored.
const MOST: usize = 12;

/// Whether a conflict mentions items that the body lists, such as places: "a shelf is taken". The places of an
/// example are free again after its record is cancelled.
pub(crate) fn takes_places(document: &Document, call: &Call<'_>) -> bool {
    let body = Shape::of(document, call.body.as_ref());
    let is_list = |name: &&str| {
        let items = body.property(document, name).items(document);
        items.type_name() == Some("string")
    };
    let mut lists = body.property_names().into_iter().filter(is_list);
    let conflicts = Conflicts::of(&call.operation);
    lists.any(|name| {
        let words = names::words(name).join(" ");
        conflicts.mentions(&names::singular(&words))
    })
}

/// Whether the texts of an operation limit how many of its records may exist.
pub(crate) fn is_limited(call: &Call<'_>) -> bool {
    let mut sentences = call.texts().flat_map(prose::sentences);
    sentences.any(|sentence| most(sentence, &call.about).is_some())
}

/// The limit of a kind in a sentence: `up to 5 addresses`, `5 notes at most`, `renewed at most 5 times`.
fn most(sentence: &str, kind: &str) -> Option<usize> {
    const SOMETIMES: [&str; 15] = [
        "if",
        "unless",
        "per",
        "page",
        "minute",
        "hour",
        "day",
        "month",
        "second",
        "seconds",
        "characters",
        "digits",
        "recommended",
        "default",
        "example",
    ];
    const UP_TO: [&[&str]; 6] = [
        &["up", "to"],
        &["at", "most"],
        &["no", "more", "than"],
        &["not", "more", "than"],
        &["maximum", "of"],
        &["most"],
    ];
    let words = names::words(&sentence.to_lowercase());
    let last = kind.rsplit(' ').next()?;
    let found = words.iter().enumerate().find_map(|(at, word)| {
        let number = number(word).filter(|item| (1..=MOST).contains(item))?;
        let is_it = |word: &String| names::singular(word) == last;
        let of_kind = words[at + 1..].iter().take(3).position(is_it);
        // `can be renewed at most 5 times`
        let is_done = |word: &String| names::is_done(word, last);
        let of_times = || {
            let is_times = words.get(at + 1).is_some_and(|word| word == "times");
            let may = prose::has(&words[..at], &["can", "cannot"]);
            (is_times && may && words[..at].iter().any(is_done)).then_some(0)
        };
        let of_kind = of_kind.or_else(of_times)?;
        let before = UP_TO.iter().any(|list| {
            let before = &words[..at];
            before.len() >= list.len() && before[before.len() - list.len()..].iter().eq(list.iter())
        });
        let after = &words[at + of_kind + 2..];
        let after = after.len() >= 2 && after[0] == "at" && after[1] == "most";
        (before || after).then_some(number)
    });
    found.filter(|_| !prose::has(&words, &SOMETIMES))
}

/// A number in digits or as a word.
fn number(word: &str) -> Option<usize> {
    const WORDS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let spelt = WORDS
        .iter()
        .position(|text| *text == word)
        .map(|item| item + 1);
    spelt.or_else(|| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_with_limits() {
        for (sentence, kind, expected) in [
            ("An order can have 5 refunds at most", "refund", Some(5)),
            (
                "A seller can have up to five bank accounts",
                "bank account",
                Some(5),
            ),
            ("At most 3 open payouts are kept", "payout", Some(3)),
            (
                "A seller can have at most 5 payouts that are `pending`",
                "payout",
                Some(5),
            ),
            ("No more than 4 cards of a customer", "card", Some(4)),
            ("A maximum of 2 notes", "note", Some(2)),
            ("At most 100 refunds", "refund", None),
            ("At most 5 refunds per day", "refund", None),
            ("At most 5 digits of the card", "card", None),
            ("5 refunds are usual", "refund", None),
            ("Up to 5 captures", "refund", None),
            (
                "An order can be refunded at most five times",
                "refund",
                Some(5),
            ),
            ("An order can be tried at most five times", "refund", None),
        ] {
            assert_eq!(most(sentence, kind), expected, "{sentence}");
        }
    }
}
