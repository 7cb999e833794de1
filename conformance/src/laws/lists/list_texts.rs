//! Wording: what the texts of a list and its query parameters say of how values are compared and items stand.

use crate::prose;

/// Whether a text says that nothing but the value itself matches.
pub(crate) fn says_exactly(text: &str) -> bool {
    prose::spoken(text).iter().any(|words| {
        let followed = words.windows(2).any(|pair| {
            let [one, next] = [pair[0].as_str(), pair[1].as_str()];
            matches!(
                (one, next),
                ("exactly", "this" | "that" | "the")
                    | ("exact", "match" | "matches" | "matching" | "value")
            )
        });
        let matches = prose::has(
            words,
            &["match", "matches", "matched", "matching", "equals"],
        );
        let is_whole = words.windows(4).any(|own| {
            let is_held = matches!(
                own[0].as_str(),
                "compared" | "matched" | "match" | "matches"
            );
            is_held && own[1..] == ["as", "a", "whole"]
        });
        let is_exact = followed || is_whole || matches && prose::has(words, &["exactly", "exact"]);
        is_exact && !prose::has(words, &["not", "no", "part", "without", "prefix", "or"])
    })
}

/// Whether a text says that a value in the other case of letters is another one.
pub(crate) fn keeps_case(text: &str) -> bool {
    let sentences = prose::spoken(text);
    sentences.iter().any(|words| {
        let has = |list: &[&str]| prose::has(words, list);
        let followed = |first: &str, next: &[&str]| {
            words
                .windows(2)
                .any(|pair| pair[0] == first && next.contains(&pair[1].as_str()))
        };
        let is_sensitive = followed("case", &["sensitive", "sensitively", "matters", "counts"]);
        let is_told = has(&["case"]) && has(&["upper"]) && has(&["lower"]);
        let differs = is_told && has(&["differ", "differs", "different", "distinguished"]);
        let is_open = has(&["not", "no", "may", "if", "unless", "except", "but", "nor"]);
        (is_sensitive || differs) && !is_open
    })
}

/// Words of records that have just come to be.
const MADE: [&str; 7] = [
    "created",
    "made",
    "added",
    "registered",
    "recorded",
    "entered",
    "placed",
];

/// Whether items stand in the order of their making, and whether it is turned round.
pub(crate) fn of_making(words: &[String]) -> Option<bool> {
    let at = words.iter().position(|own| own == "order")?;
    let after: Vec<&str> = words[at + 1..].iter().map(String::as_str).collect();
    let before = at.checked_sub(1).map_or("", |own| words[own].as_str());
    let is_told = match after.as_slice() {
        ["in", "which", _, "were", done, ..] | ["they", "were", done, ..] => MADE.contains(done),
        ["of", "creation" | "registration", ..] | ["of", "their", "creation", ..] => true,
        _ => matches!(before, "chronological" | "creation"),
    };
    let turned = ["reverse", "reversed", "descending", "inverse"];
    is_told.then(|| prose::has(words, &turned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_making() {
        for (text, expected) in [
            (
                "Payments, in the order in which they were registered.",
                Some(false),
            ),
            ("Orders in chronological order", Some(false)),
            ("In reverse order of creation.", Some(true)),
            ("Items in the order in which they were shipped.", None),
            ("The order that was created.", None),
            ("In alphabetical order", None),
        ] {
            let words = prose::spoken(text).remove(0);
            assert_eq!(of_making(&words), expected, "{text}");
        }
    }

    #[test]
    fn what_is_another_value_in_the_other_case() {
        for (text, expected) in [
            ("Only orders with this number (case-sensitive).", true),
            ("Exact match; case matters", true),
            ("Upper and lower case are distinguished.", true),
            ("The name, not case-sensitive.", false),
            ("Case-insensitive.", false),
            ("In case it is known.", false),
            ("Exactly this name.", false),
        ] {
            assert_eq!(keeps_case(text), expected, "{text}");
        }
    }

    #[test]
    fn what_has_to_be_the_value_itself() {
        for (text, expected) in [
            ("Only the payment with exactly this reference.", true),
            ("The name has to match exactly.", true),
            ("Exact match on the order number.", true),
            ("Compared as a whole, regardless of case.", true),
            ("The list as a whole.", false),
            ("A code of exactly three letters.", false),
            ("Not an exact match: parts are found, too.", false),
            ("Only payments with this reference.", false),
        ] {
            assert_eq!(says_exactly(text), expected, "{text}");
        }
    }
}
