//! Emptied: the numbers of a record of which a text says that they are nothing where a step is allowed, such as the balance of
//! an account that is closed. Pure.

use crate::model::{names, prose};

/// What a number has, of which something is left, by these words behind its name.
const LEFT: [&[&str]; 8] = [
    &["is", "not", "zero"],
    &["is", "not", "0"],
    &["isn", "t", "zero"],
    &["is", "nonzero"],
    &["is", "above", "zero"],
    &["is", "greater", "than", "zero"],
    &["is", "other", "than", "zero"],
    &["is", "not", "empty"],
];

/// The same, in front of its name.
const BEFORE: [&[&str]; 2] = [&["non", "zero"], &["nonzero"]];

/// What a number has to be, behind its name.
const NOTHING: [&[&str]; 4] = [
    &["must", "be", "zero"],
    &["has", "to", "be", "zero"],
    &["needs", "to", "be", "zero"],
    &["must", "be", "0"],
];

/// The properties that a sentence says to be in the way of a step while they are more than nothing: `refused if its balance
/// is not zero`, `its balance must be zero`.
pub(super) fn read<'d>(sentence: &str, properties: &[&'d str]) -> Vec<&'d str> {
    const REFUSED: [&str; 7] = [
        "refused", "rejected", "cannot", "409", "422", "conflict", "fails",
    ];
    const DOUBTFUL: [&str; 6] = ["unless", "except", "only", "may", "also", "even"];
    let words = names::words(&sentence.to_lowercase());
    if prose::has(&words, &DOUBTFUL) {
        return Vec::new();
    }
    let is_refused = prose::has(&words, &REFUSED);
    let is_told = |property: &&&'d str| {
        let own = names::words(property);
        let mut places = words.windows(own.len().max(1)).enumerate();
        !own.is_empty()
            && places.any(|(at, part)| {
                let (before, behind) = (&words[..at], &words[at + own.len()..]);
                let follows = |all: &[&[&str]]| all.iter().any(|own| starts(behind, own));
                let leads = BEFORE.iter().any(|own| ends(before, own));
                let is_left = is_refused && (follows(&LEFT) || leads);
                part == own && (is_left || follows(&NOTHING))
            })
    };
    properties.iter().filter(is_told).copied().collect()
}

fn starts(words: &[String], wanted: &[&str]) -> bool {
    let part = words.get(..wanted.len());
    part.is_some_and(|own| own.iter().zip(wanted).all(|(one, other)| one == other))
}

fn ends(words: &[String], wanted: &[&str]) -> bool {
    let from = words.len().checked_sub(wanted.len());
    from.is_some_and(|from| starts(&words[from..], wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_stand_in_the_way_of_a_step() {
        for (text, expected) in [
            (
                "Refused with 409 if the account is closed already, or if its balance is not zero",
                &["balance"][..],
            ),
            ("The balance must be zero before it is closed", &["balance"]),
            (
                "An account with a nonzero balance cannot be closed",
                &["balance"],
            ),
            (
                "A customer with a non-zero amount due cannot be deleted",
                &["amountDue"],
            ),
            ("More than the remaining balance is refused with 409", &[]),
            ("It is refused if the balance is zero", &[]),
            (
                "Refused if its balance is not zero unless it is forced",
                &[],
            ),
            ("The balance is not zero when it is opened", &[]),
            ("Refused if the available balance is too low", &[]),
        ] {
            assert_eq!(read(text, &["balance", "amountDue"]), expected, "{text}");
        }
    }
}
