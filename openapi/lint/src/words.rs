//! Words: splits a name into words.

/// Splits a name into lower-case words: `cardNumber`, `card_number` and `card-number` become `card`
/// and `number`, `APIKey` becomes `api` and `key`.
pub(super) fn words(name: &str) -> Vec<String> {
    let signs: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (place, &sign) in signs.iter().enumerate() {
        let before = place.checked_sub(1).and_then(|before| signs.get(before));
        let after = signs.get(place + 1);
        let follows_small = before.is_some_and(|before| !before.is_uppercase());
        let begins = follows_small || after.is_some_and(|after| after.is_lowercase());
        if !sign.is_alphanumeric() || (sign.is_uppercase() && begins) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| sign.is_alphanumeric()) {
            word.extend(sign.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_begin_at_capitals_and_signs() {
        for (name, expected) in [
            ("cardNumber", "card number"),
            ("card_number", "card number"),
            ("X-Api-Key", "x api key"),
            ("APIKey", "api key"),
            ("cvv", "cvv"),
            ("spin", "spin"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }
}
