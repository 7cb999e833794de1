//! Changes numbers with check digits: account numbers (ISO 13616), card numbers (Luhn) and article numbers
//! (GS1).
//!
//! The check digits of the new number are correct, because a server refuses a number with wrong
//! ones.

use std::fmt::Write as _;

/// The greatest number of digits that change. The digits before them identify the issuer.
const FREE: usize = 9;

/// Another number of the same kind. `None` when the text has no known check digit.
pub(crate) fn another(old: &str, random: &mut fastrand::Rng) -> Option<String> {
    if is_account_number(old) {
        return another_account_number(old, random);
    }
    let mut digits: Vec<u32> = old
        .chars()
        .map(|letter| letter.to_digit(10))
        .collect::<Option<_>>()?;
    let check = check_of(&digits)?;
    digits.pop();
    let from = digits.len().saturating_sub(FREE).max(digits.len() / 2);
    for digit in &mut digits[from..] {
        *digit = random.u32(0..10);
    }
    digits.push(check(&digits));
    Some(digits.iter().map(u32::to_string).collect())
}

/// Whether a text is a number with correct check digits.
pub(crate) fn is_checked(text: &str) -> bool {
    let digits: Option<Vec<u32>> = text.chars().map(|letter| letter.to_digit(10)).collect();
    is_account_number(text) || digits.is_some_and(|digits| check_of(&digits).is_some())
}

/// The function that computes the last of these digits from the others.
fn check_of(digits: &[u32]) -> Option<fn(&[u32]) -> u32> {
    let (last, body) = digits.split_last()?;
    let is_card = (12..=19).contains(&digits.len()) && luhn(body) == *last;
    let is_article = matches!(digits.len(), 8 | 13 | 14) && article(body) == *last;
    match (is_card, is_article) {
        (true, _) => Some(luhn),
        (_, true) => Some(article),
        _ => None,
    }
}

/// Whether a text is an international account number (ISO 13616) with correct check digits.
fn is_account_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_formed = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_formed && remainder(&text[4..], &text[..4]) == 1
}

/// The remainder of an account number divided by 97. A letter counts as two digits.
fn remainder(account: &str, head: &str) -> u32 {
    let digits = account.chars().chain(head.chars());
    digits
        .filter_map(|digit| digit.to_digit(36))
        .fold(0, |left, digit| {
            let shift = if digit > 9 { 100 } else { 10 };
            (left * shift + digit) % 97
        })
}

fn another_account_number(old: &str, random: &mut fastrand::Rng) -> Option<String> {
    let (country, account) = (&old[..2], &old[4..]);
    let mut free = 0;
    let mut other: Vec<char> = account.chars().collect();
    for digit in other
        .iter_mut()
        .rev()
        .take_while(|letter| letter.is_ascii_digit())
    {
        if free == FREE {
            break;
        }
        *digit = random.digit(10);
        free += 1;
    }
    let other: String = other.into_iter().collect();
    let check = 98 - remainder(&other, &format!("{country}00"));
    let mut new = country.to_owned();
    write!(new, "{check:02}{other}").ok()?;
    (free > 2).then_some(new)
}

/// The Luhn check digit of a sequence of digits.
fn luhn(digits: &[u32]) -> u32 {
    let places = digits.iter().rev().enumerate();
    let sum: u32 = places
        .map(|(place, digit)| match (place % 2, digit * 2) {
            (1, _) => *digit,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    (10 - sum % 10) % 10
}

/// The check digit of an article number: every second digit counts three times.
fn article(digits: &[u32]) -> u32 {
    let places = digits.iter().rev().enumerate();
    let sum: u32 = places
        .map(|(place, digit)| if place % 2 == 0 { digit * 3 } else { *digit })
        .sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_numbers_have_correct_check_digits() {
        let mut random = fastrand::Rng::with_seed(7);
        for old in ["DE89370400440532013000", "GB82WEST12345698765432"] {
            let new = another(old, &mut random).unwrap();
            assert!(
                is_account_number(&new) && new != old && new.len() == old.len(),
                "{new}"
            );
            assert_eq!(new[..2], old[..2]);
        }
        for old in ["4242424242424242", "5555555555554444", "4006381333931"] {
            let new = another(old, &mut random).unwrap();
            assert!(new != old && new.len() == old.len(), "{new}");
            assert_eq!(new[..6], old[..6]);
            assert!(another(&new, &mut random).is_some(), "{new}");
        }
    }

    #[test]
    fn texts_without_check_digits_stay() {
        let mut random = fastrand::Rng::with_seed(7);
        for old in ["DE88370400440532013000", "4242424242424241", "order-1", ""] {
            assert_eq!(another(old, &mut random), None, "{old}");
        }
    }
}
