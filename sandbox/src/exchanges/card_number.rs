//! Card numbers in texts: what looks like one is not shown.

/// What stands where a card number was.
pub(super) const PLACEHOLDER: &str = "[card number]";
/// How many digits a card number has at least.
pub(super) const FEWEST_DIGITS: usize = 12;
/// How many digits a card number has.
const DIGITS: std::ops::RangeInclusive<usize> = FEWEST_DIGITS..=19;

/// The text without anything in it that may be a card number: digits that pass the check of Luhn,
/// in one piece or in groups.
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

/// Whether a text has as many digits as a card number with nothing but what parts groups between them.
/// Most ids have not, so that they need not be looked at a second time.
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

/// The length of the digits that a text begins with.
fn digits(text: &str) -> usize {
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    end.unwrap_or(text.len())
}

/// Where a card number ends that the text begins with, written in groups.
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

/// The check digit of card numbers.
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
    fn what_may_be_a_card_number_is_masked() {
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
    fn only_what_may_hide_one_is_looked_at_closely() {
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
    fn an_id_is_no_card_number() {
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
