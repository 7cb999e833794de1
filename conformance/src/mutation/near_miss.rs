//! Near misses: texts that are nearly what a pattern allows, which is where one that is held to loosely lets
//! them through. Pure.

/// No text is made longer by more than this to be too long.
const LONGER: usize = 64;

/// So many of them at most.
const MOST: usize = 5;

/// Texts that a pattern does not allow, each one step from one that it does: one character too long or too short,
/// in the other case, an address that anybody can listen to, and of an amount without its places, below nothing, or nothing.
pub(super) fn of(valid: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let refused = |own: &String| !own.is_empty() && !allowed(own);
    let candidates = [
        in_the_open(valid).filter(refused),
        lengthened(valid).find(refused),
        shortened(valid).find(refused),
        in_other_case(valid).filter(refused),
        in_small_letters(valid, &allowed).filter(refused),
        whole(valid).filter(refused),
        below_nothing(valid).filter(refused),
        nothing(valid).filter(refused),
    ];
    let mut found: Vec<String> = Vec::new();
    for own in candidates.into_iter().flatten() {
        if !found.contains(&own) {
            found.push(own);
        }
    }
    found.truncate(MOST);
    found
}

/// The text with its last character more and more often.
fn lengthened(valid: &str) -> impl Iterator<Item = String> {
    let last = valid.chars().next_back();
    let times = if last.is_some() { LONGER } else { 0 };
    let more = move |times| std::iter::repeat_n(last.unwrap_or_default(), times);
    (1..=times).map(move |times| valid.chars().chain(more(times)).collect())
}

/// The text with fewer and fewer of its characters.
fn shortened(valid: &str) -> impl Iterator<Item = String> {
    let ends = valid.char_indices().rev().map(|(at, _)| at);
    ends.map(|at| valid[..at].to_owned())
}

/// The text in the other case.
pub(super) fn in_other_case(valid: &str) -> Option<String> {
    let turn = |own: char| match own {
        'a'..='z' => own.to_ascii_uppercase(),
        'A'..='Z' => own.to_ascii_lowercase(),
        _ => own,
    };
    let turned: String = valid.chars().map(turn).collect();
    (turned != valid).then_some(turned)
}

/// A text without letters, with a small one where a capital is allowed.
fn in_small_letters(valid: &str, allowed: impl Fn(&str) -> bool) -> Option<String> {
    let at = valid.find(|own: char| own.is_ascii_digit())?;
    let with = |letter: &str| format!("{}{letter}{}", &valid[..at], &valid[at + 1..]);
    let has_none = !valid.bytes().any(|own| own.is_ascii_alphabetic());
    (has_none && allowed(&with("A"))).then(|| with("a"))
}

/// An address that is not enciphered, in the place of one that is.
fn in_the_open(valid: &str) -> Option<String> {
    let rest = valid.strip_prefix("https://")?;
    Some(format!("http://{rest}"))
}

/// An amount without its places.
fn whole(valid: &str) -> Option<String> {
    let (whole, _) = decimal(valid)?;
    Some(whole.to_owned())
}

fn below_nothing(valid: &str) -> Option<String> {
    decimal(valid).map(|_| format!("-{valid}"))
}

/// An amount of nothing, written as it is.
fn nothing(valid: &str) -> Option<String> {
    let (_, places) = decimal(valid)?;
    Some(format!("0.{}", "0".repeat(places.len())))
}

/// The two parts of a decimal.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, places) = text.split_once('.')?;
    let is_digits = |own: &str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits(whole) && is_digits(places)).then_some((whole, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_allowed() {
        for (pattern, valid, expected) in [
            ("^[0-9]{3,4}$", "123", &["12333", "12"][..]),
            ("^[A-Z]{3}$", "EUR", &["EURR", "EU", "eur"]),
            ("^[a-z ]*$", "some text", &["SOME TEXT"]),
            (
                "^https://.+$",
                "https://a.b/c",
                &["http://a.b/c", "https://", "HTTPS://A.B/C"],
            ),
            ("^https?://.*$", "https://a.b", &["https:/", "HTTPS://A.B"]),
            (
                r"^(?!0\.00$)\d+\.\d{2}$",
                "7.50",
                &["7.500", "7.5", "7", "-7.50", "0.00"],
            ),
            (".*", "anything", &[]),
            ("^$", "", &[]),
        ] {
            let own = pattern.replace("(?!0\\.00$)", "");
            let own = regex::Regex::new(&own).unwrap();
            let is_nothing = |text: &str| pattern.contains("?!") && text == "0.00";
            let found = of(valid, |text| own.is_match(text) && !is_nothing(text));
            assert_eq!(found, expected, "{pattern} {valid}");
        }
    }
}
