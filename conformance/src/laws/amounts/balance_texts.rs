//! Wording: what texts say of balances: which way each goes, and what more than which is refused. Pure.

use crate::names;
use crate::prose;

/// Which way a balance goes by the amount of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    /// It is more.
    Up,
    /// It is less.
    Down,
    /// It is what it was.
    Stays,
}

/// Words of a clause that make it hold sometimes only.
const SOMETIMES: [&str; 13] = [
    "if", "unless", "when", "until", "must", "may", "can", "cannot", "not", "than", "exceed",
    "could", "never",
];

/// Words of what is less.
const DOWN: [&str; 12] = [
    "lowered",
    "lowers",
    "reduced",
    "reduces",
    "decreased",
    "decreases",
    "falls",
    "off",
    "deducted",
    "deducts",
    "subtracted",
    "subtracts",
];

/// Words of what is more.
const UP: [&str; 9] = [
    "raised",
    "raises",
    "increased",
    "increases",
    "grows",
    "added",
    "adds",
    "credited",
    "rises",
];

/// Words of what is as it was.
const SAME: [&str; 7] = [
    "stays",
    "stay",
    "unchanged",
    "unaffected",
    "untouched",
    "remains",
    "same",
];

/// What a text says of balances where it speaks of a kind of thing: in the item of a list that begins with it, else in
/// the sentences that do.
pub(super) fn shifts<'n>(text: &str, kind: &str, balances: &[&'n str]) -> Vec<(&'n str, Shift)> {
    let item = item(text, kind);
    let sentences = if let Some(item) = &item {
        prose::sentences(item)
    } else {
        let all = prose::sentences(text).into_iter();
        all.filter(|own| begins(own, kind)).collect()
    };
    // How much it is has to be said.
    let says_amount = |own: &&str| names::words(own).iter().any(|own| own == "amount");
    if !sentences.iter().any(says_amount) {
        return Vec::new();
    }
    let clauses = sentences.iter().flat_map(|own| own.split([',', ':']));
    let clauses = clauses.flat_map(|own| own.split(" and "));
    let mut found: Vec<(&'n str, Shift)> = Vec::new();
    for clause in clauses {
        let words = names::words(&clause.to_lowercase());
        if let Some(shift) = shift(&words) {
            found.extend(named(&words, balances).into_iter().map(|own| (own, shift)));
        }
    }
    // What is said twice in two ways is not understood.
    let is_once = |own: &(&str, Shift)| found.iter().all(|other| other.0 != own.0 || other == own);
    found.iter().filter(|own| is_once(own)).copied().collect()
}

/// The item of a list that begins with a word, as far as it goes.
fn item(text: &str, kind: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| {
        let item = line.strip_prefix(['-', '*', '+']).unwrap_or_default();
        !begins(item, kind)
    });
    let first = lines.next()?;
    let goes_on = |line: &&str| !line.is_empty() && !line.starts_with(['-', '*', '+', '#', '|']);
    let rest: Vec<&str> = lines.take_while(goes_on).collect();
    let first = first.trim_start_matches(['-', '*', '+', ' ']);
    Some([&[first][..], &rest].concat().join(" "))
}

/// Whether a sentence begins with a word, or an article before it.
fn begins(sentence: &str, kind: &str) -> bool {
    let lower = |text: &str| -> Vec<String> {
        let words = names::words(text).into_iter();
        words.map(|own| own.to_lowercase()).collect()
    };
    let (words, kind) = (lower(sentence), lower(kind));
    let rest = match words.first().map(String::as_str) {
        Some("a" | "an" | "the" | "every" | "each") => &words[1..],
        _ => &words[..],
    };
    !kind.is_empty() && rest.starts_with(&kind)
}

/// Which way a clause says that something goes.
fn shift(words: &[String]) -> Option<Shift> {
    let has = |list: &[&str]| prose::has(words, list);
    let is_as_it_is = words.windows(3).any(|own| own == ["as", "it", "is"]);
    let all = [
        (has(&UP), Shift::Up),
        (has(&DOWN), Shift::Down),
        (has(&SAME) || is_as_it_is, Shift::Stays),
    ];
    let mut all = all.into_iter().filter(|own| own.0);
    let (_, only) = all.next().filter(|_| all.next().is_none())?;
    (!has(&SOMETIMES)).then_some(only)
}

/// The balances that a clause names: each by its words, or all of them.
fn named<'n>(words: &[String], balances: &[&'n str]) -> Vec<&'n str> {
    let is_all = words.windows(2).any(|own| {
        matches!(own[0].as_str(), "both" | "all" | "either") && own[1].starts_with("balance")
    });
    if is_all {
        return balances.to_vec();
    }
    let is_named = |name: &&&'n str| {
        let own = names::words(name);
        words.windows(own.len()).any(|part| part == own)
    };
    let all: Vec<&'n str> = balances.iter().filter(is_named).copied().collect();
    // Of `available` and `available balance` the longer one is meant.
    let is_part = |own: &&str| {
        let within = |other: &&str| {
            let (one, other) = (names::words(own), names::words(other));
            other.len() > one.len() && other.windows(one.len()).any(|part| part == one)
        };
        all.iter().any(within)
    };
    all.iter().filter(|own| !is_part(own)).copied().collect()
}

/// The balance that a sentence says no more than which is taken by some kind of thing: `withdrawals of more than the
/// available balance are refused`.
pub(super) fn more_than<'n>(
    sentence: &str,
    kinds: &[String],
    balances: &[&'n str],
) -> Option<&'n str> {
    const REFUSED: [&str; 5] = ["refused", "rejected", "fail", "fails", "declined"];
    let words = names::words(&sentence.to_lowercase());
    let at = words
        .windows(3)
        .position(|own| own == ["more", "than", "the"]);
    let at = at.or_else(|| words.windows(2).position(|own| own == ["exceeding", "the"]))?;
    let (before, after) = words.split_at(at);
    let is_kind = |kind: &String| {
        let kind = kind.to_lowercase();
        before.iter().any(|own| names::singular(own) == kind)
    };
    let is_plain = prose::has(&words, &REFUSED) && !prose::has(&words, &["not", "unless", "if"]);
    let named = named(&after[..after.len().min(6)], balances);
    let [only] = named[..] else { return None };
    (is_plain && kinds.iter().any(is_kind)).then_some(only)
}

/// Whether a sentence says that what has to be unique of a refused request may be told again.
pub(super) fn keeps_free(sentence: &[String]) -> bool {
    const REFUSED: [&str; 5] = ["refused", "rejected", "declined", "failed", "unsuccessful"];
    const UNIQUE: [&str; 4] = ["reference", "references", "number", "identifier"];
    let joined = sentence.join(" ");
    let is_free = [
        "not use up",
        "not used up",
        "not consume",
        "be used again",
        "free again",
    ]
    .iter()
    .any(|own| joined.contains(own));
    let is_barred = ["cannot be", "not be", "never be"]
        .iter()
        .any(|own| joined.contains(own));
    prose::has(sentence, &REFUSED) && prose::has(sentence, &UNIQUE) && is_free && !is_barred
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALANCES: [&str; 2] = ["ledgerBalance", "availableBalance"];

    #[test]
    fn what_texts_say_of_balances() {
        let text = "Books it.\n\n- `hold` keeps the amount. The available balance is lowered, the ledger balance\n  \
                    stays. It ends after a day.\n- `spend` takes the amount off both balances at once.\n- `topUp` \
                    adds the amount to both balances. The ledger balance must not exceed a limit.\n- `note` is free";
        for (kind, expected) in [
            (
                "hold",
                &[
                    ("availableBalance", Shift::Down),
                    ("ledgerBalance", Shift::Stays),
                ][..],
            ),
            (
                "spend",
                &[
                    ("ledgerBalance", Shift::Down),
                    ("availableBalance", Shift::Down),
                ],
            ),
            (
                "topUp",
                &[
                    ("ledgerBalance", Shift::Up),
                    ("availableBalance", Shift::Up),
                ],
            ),
            ("note", &[]),
            ("other", &[]),
        ] {
            assert_eq!(shifts(text, kind, &BALANCES), expected, "{kind}");
        }
        let plain = "A hold lowers the available balance by its amount.";
        assert_eq!(
            shifts(plain, "hold", &BALANCES),
            [("availableBalance", Shift::Down)]
        );
    }

    #[test]
    fn what_is_free_after_a_refusal() {
        for (text, expected) in [
            (
                "A request that was refused does not use up its reference.",
                true,
            ),
            ("The reference of a rejected order can be used again", true),
            (
                "The reference of a rejected order cannot be used again",
                false,
            ),
            ("A refused request changes nothing", false),
        ] {
            let found = prose::spoken(text).iter().any(|own| keeps_free(own));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn what_more_than_which_is_refused() {
        let spends = ["spend".to_owned()];
        let text = "Holds and spends of more than the available balance are refused with `422`";
        assert_eq!(
            more_than(text, &spends, &BALANCES),
            Some("availableBalance")
        );
        let other = "Refunds of more than the available balance are refused";
        assert_eq!(more_than(other, &spends, &BALANCES), None);
    }
}
