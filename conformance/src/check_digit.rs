//! Numbers that check themselves: an IBAN (ISO 13616), the number of a card (Luhn), of an article (GS1). Another one like
//! it has its check digits right, too, or it is refused for those.

use std::fmt::Write as _;

/// How many digits of such a number are other ones at most; what comes before them tells of its issuer.
const FREE: usize = 9;

/// Another number of the same kind; `None` where a text is none.
pub(crate) fn another(old: &str, random: &mut fastrand::Rng) -> Option<String> {
    if is_iban(old) {
        return iban(old, random);
    }
    let checks = |digits: &[u32]| -> Option<fn(&[u32]) -> u32> {
        let (last, body) = digits.split_last()?;
        let is_card = (12..=19).contains(&digits.len()) && luhn(body) == *last;
        let is_article = matches!(digits.len(), 8 | 13 | 14) && article(body) == *last;
        match (is_card, is_article) {
            (true, _) => Some(luhn),
            (_, true) => Some(article),
            _ => None,
        }
    };
    let mut digits: Vec<u32> = old
        .chars()
        .map(|own| own.to_digit(10))
        .collect::<Option<_>>()?;
    let check = checks(&digits)?;
    digits.pop();
    let from = digits.len().saturating_sub(FREE).max(digits.len() / 2);
    for digit in &mut digits[from..] {
        *digit = random.u32(0..10);
    }
    digits.push(check(&digits));
    Some(digits.iter().map(u32::to_string).collect())
}

/// Whether a text is an IBAN whose check digits are right.
fn is_iban(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_formed = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes
            .iter()
            .all(|own| own.is_ascii_uppercase() || own.is_ascii_digit());
    is_formed && remainder(&text[4..], &text[..4]) == 1
}

/// What is left of an IBAN by 97, a letter being two digits.
fn remainder(account: &str, head: &str) -> u32 {
    let digits = account.chars().chain(head.chars());
    digits
        .filter_map(|own| own.to_digit(36))
        .fold(0, |left, own| {
            let shift = if own > 9 { 100 } else { 10 };
            (left * shift + own) % 97
        })
}

fn iban(old: &str, random: &mut fastrand::Rng) -> Option<String> {
    let (country, account) = (&old[..2], &old[4..]);
    let mut free = 0;
    let mut other: Vec<char> = account.chars().collect();
    for own in other
        .iter_mut()
        .rev()
        .take_while(|own| own.is_ascii_digit())
    {
        if free == FREE {
            break;
        }
        *own = random.digit(10);
        free += 1;
    }
    let other: String = other.into_iter().collect();
    let check = 98 - remainder(&other, &format!("{country}00"));
    let mut new = country.to_owned();
    write!(new, "{check:02}{other}").ok()?;
    (free > 2).then_some(new)
}

/// The check digit by Luhn of the digits before it.
fn luhn(digits: &[u32]) -> u32 {
    let places = digits.iter().rev().enumerate();
    let sum: u32 = places
        .map(|(place, own)| match (place % 2, own * 2) {
            (1, _) => *own,
            (_, twice) if twice > 9 => twice - 9,
            (_, twice) => twice,
        })
        .sum();
    (10 - sum % 10) % 10
}

/// The check digit of the number of an article: each second digit counts three times.
fn article(digits: &[u32]) -> u32 {
    let places = digits.iter().rev().enumerate();
    let sum: u32 = places
        .map(|(place, own)| if place % 2 == 0 { own * 3 } else { *own })
        .sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_right_too() {
        let mut random = fastrand::Rng::with_seed(7);
        for old in ["DE89370400440532013000", "GB82WEST12345698765432"] {
            let new = another(old, &mut random).unwrap();
            assert!(
                is_iban(&new) && new != old && new.len() == old.len(),
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
    fn others_are_none() {
        let mut random = fastrand::Rng::with_seed(7);
        for old in ["DE88370400440532013000", "4242424242424241", "order-1", ""] {
            assert_eq!(another(old, &mut random), None, "{old}");
        }
    }
}
