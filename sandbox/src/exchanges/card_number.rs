//! Masks card numbers in texts.

/// The text that replaces a card number.
pub(super) const PLACEHOLDER: &str = "[card number]";
/// The fewest digits of a card number.
pub(super) const FEWEST_DIGITS: usize = 12;
/// The possible numbers of digits of a card number.
const DIGITS: std::ops::RangeInclusive<usize> = FEWEST_DIGITS..=19;

/// Masks everything that may be a card number: digits with a valid Luhn sum, in one piece or in
/// groups.
pub(super) fn mask(text: &str) -> String {
    if !may_hide_one(text) {
        return text.to_owned();
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, tail) = rest.split_at(start);
        masked.push_str(before);
        let first = digits(tail);
        let free = !masked.ends_with(|letter: char| letter.is_alphanumeric() || letter == '-');
        let number = grouped(tail).filter(|_| free);
        let number = number.or_else(|| is_card_number(&tail[..first]).then_some(first));
        masked.push_str(number.map_or(&tail[..first], |_| PLACEHOLDER));
        rest = &tail[number.unwrap_or(first)..];
    }
    masked.push_str(rest);
    masked
}

/// Whether the text has enough digits for a card number, with only group separators between them.
/// Most ids do not, so the slower search is skipped for them.
pub(super) fn may_hide_one(text: &str) -> bool {
    let mut digits = 0;
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => digits += 1,
            b' ' | b'-' => {}
            _ => digits = 0,
        }
        if digits == FEWEST_DIGITS {
            return true;
        }
    }
    false
}

/// The length of the leading digits.
fn digits(text: &str) -> usize {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    end.unwrap_or(text.len())
}

/// The length of a leading card number in groups; `None` when there is none.
fn grouped(text: &str) -> Option<usize> {
    let mut end = digits(text);
    while let Some(rest) = text[end..].strip_prefix([' ', '-']) {
        match digits(rest) {
            0 => break,
            more => end += 1 + more,
        }
    }
    let groups = text[..end].split([' ', '-']);
    let fit = groups.clone().count() > 1 && groups.clone().all(|group| group.len() <= 6);
    let ends = !text[end..].starts_with(char::is_alphanumeric);
    (fit && ends && is_card_number(&groups.collect::<String>())).then_some(end)
}

fn is_card_number(digits: &str) -> bool {
    DIGITS.contains(&digits.len()) && luhn(digits.as_bytes())
}

/// Whether the digits have a valid Luhn sum.
fn luhn(digits: &[u8]) -> bool {
    let weigh = |(place, digit): (usize, &u8)| {
        let digit = u32::from(digit - b'0');
        match (place % 2, digit) {
            (0, _) => digit,
            (_, 0..=4) => digit * 2,
            _ => digit * 2 - 9,
        }
    };
    digits.iter().rev().enumerate().map(weigh).sum::<u32>() % 10 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn possible_card_numbers_are_masked() {
        let table = [
            ("4242424242424242", "[card number]"),
            ("4242 4242 4242 4242", "[card number]"),
            ("378282246310005", "[card number]"),
            ("6304-0000-0000-0000", "[card number]"),
            ("card4242424242424242.", "card[card number]."),
            ("/a/4242424242424242/b", "/a/[card number]/b"),
            ("é 4242424242424242 é 1", "é [card number] é 1"),
            ("4242424242424241", "4242424242424241"),
            ("42424242424242424242", "42424242424242424242"),
            ("10.00 EUR on 2026-11-20", "10.00 EUR on 2026-11-20"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(mask(text), expected, "{text}");
        }
    }

    #[test]
    fn only_texts_with_enough_digits_are_searched() {
        let table = [
            ("4242 4242 4242 4242", true),
            ("a424242424242", true),
            ("42424242424", false),
            ("424242a424242", false),
            ("8f14e45f-ceea-4e7a-9c2d-123456789012", true),
            ("8f14e45f-ceea-4e7a-9c2d-1234f6789012", false),
        ];
        for (text, expected) in table {
            assert_eq!(may_hide_one(text), expected, "{text}");
        }
    }

    #[test]
    fn ids_are_not_masked() {
        let ids = [
            "00000000-0000-4000-8000-000000001005",
            "abcd1234-4242-4242-4242-42424242abcd",
            "4242-4242-4242-4242a",
        ];
        for id in ids {
            assert_eq!(mask(id), id);
        }
    }
}
