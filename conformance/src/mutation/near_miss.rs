//! Near misses: texts that almost match a pattern, to detect servers that check patterns loosely.
//! Pure.

/// The greatest number of characters to add.
const LONGER: usize = 64;

/// The greatest number of near misses.
const MOST: usize = 5;

/// Texts that a pattern does not allow, each one step from a valid one: too long or too short by a
/// character, in the other letter case, an unencrypted URL, an amount without decimal places, a
/// negative or a zero amount.
pub(super) fn near_misses(valid: &str, allowed: impl Fn(&str) -> bool) -> Vec<String> {
    let refused = |text: &String| !text.is_empty() && !allowed(text);
    let candidates = [
        unencrypted(valid).filter(refused),
        lengthened(valid).find(refused),
        shortened(valid).find(refused),
        in_other_case(valid).filter(refused),
        in_lower_case(valid, &allowed).filter(refused),
        whole(valid).filter(refused),
        negative(valid).filter(refused),
        zero(valid).filter(refused),
    ];
    let mut found: Vec<String> = Vec::new();
    for text in candidates.into_iter().flatten() {
        if !found.contains(&text) {
            found.push(text);
        }
    }
    found.truncate(MOST);
    found
}

/// The text with its last character repeated once, twice, and so on.
fn lengthened(valid: &str) -> impl Iterator<Item = String> {
    let last = valid.chars().next_back();
    let times = if last.is_some() { LONGER } else { 0 };
    let more = move |times| std::iter::repeat_n(last.unwrap_or_default(), times);
    (1..=times).map(move |times| valid.chars().chain(more(times)).collect())
}

/// The text without its last character, its last two, and so on.
fn shortened(valid: &str) -> impl Iterator<Item = String> {
    let ends = valid.char_indices().rev().map(|(at, _)| at);
    ends.map(|at| valid[..at].to_owned())
}

/// The text in the other letter case. `None` when it has no letters.
pub(super) fn in_other_case(valid: &str) -> Option<String> {
    let swap = |char: char| match char {
        'a'..='z' => char.to_ascii_uppercase(),
        'A'..='Z' => char.to_ascii_lowercase(),
        _ => char,
    };
    let swapped: String = valid.chars().map(swap).collect();
    (swapped != valid).then_some(swapped)
}

/// A text without letters, with a lower-case letter where the pattern allows an upper-case one.
fn in_lower_case(valid: &str, allowed: impl Fn(&str) -> bool) -> Option<String> {
    let at = valid.find(|char: char| char.is_ascii_digit())?;
    let with = |letter: &str| format!("{}{letter}{}", &valid[..at], &valid[at + 1..]);
    let has_none = !valid.bytes().any(|char| char.is_ascii_alphabetic());
    (has_none && allowed(&with("A"))).then(|| with("a"))
}

/// The URL with `http` instead of `https`.
fn unencrypted(valid: &str) -> Option<String> {
    let rest = valid.strip_prefix("https://")?;
    Some(format!("http://{rest}"))
}

/// The integer part of an amount.
fn whole(valid: &str) -> Option<String> {
    let (whole, _) = decimal(valid)?;
    Some(whole.to_owned())
}

fn negative(valid: &str) -> Option<String> {
    decimal(valid).map(|_| format!("-{valid}"))
}

/// Zero with the same number of decimal places.
fn zero(valid: &str) -> Option<String> {
    let (_, places) = decimal(valid)?;
    Some(format!("0.{}", "0".repeat(places.len())))
}

/// The integer and the decimal part of an amount.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, places) = text.split_once('.')?;
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (is_digits(whole) && is_digits(places)).then_some((whole, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_almost_match() {
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
            let regex_of_pattern = pattern.replace("(?!0\\.00$)", "");
            let regex_of_pattern = regex::Regex::new(&regex_of_pattern).unwrap();
            let is_nothing = |text: &str| pattern.contains("?!") && text == "0.00";
            let found = near_misses(valid, |text| {
                regex_of_pattern.is_match(text) && !is_nothing(text)
            });
            assert_eq!(found, expected, "{pattern} {valid}");
        }
    }
}
