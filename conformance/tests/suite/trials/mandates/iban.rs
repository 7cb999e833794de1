//! Account numbers, whose check digits make the whole leave 1 when it is divided by 97.

/// Whether a text has the form of an account number.
pub(super) fn is_formed(iban: &str) -> bool {
    let bytes = iban.as_bytes();
    let is_own = |own: &u8| own.is_ascii_uppercase() || own.is_ascii_digit();
    (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes[4..].iter().all(is_own)
}

/// Whether the check digits of what has that form are right.
pub(super) fn is_right(iban: &str) -> bool {
    let (head, tail) = iban.split_at(4);
    let values = tail.chars().chain(head.chars());
    let values = values.filter_map(|own| own.to_digit(36));
    let left = values.fold(0, |left, own| {
        let places = if own < 10 { 10 } else { 100 };
        (left * places + own) % 97
    });
    left == 1
}
