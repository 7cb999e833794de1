//! Name: what names have in common however they are written.

/// Words with so many letters in common at their beginning may be forms of one word.
const STEM: usize = 5;

/// So many letters of the shorter one may differ at the end.
const ENDING: usize = 2;

/// A name without what writing styles differ in: `created_at`, `createdAt` and `created-at` are one.
pub(crate) fn normalized(name: &str) -> String {
    let plain = name.chars().filter(|c| c.is_alphanumeric());
    plain.flat_map(char::to_lowercase).collect()
}

/// The words of a name, in small letters: `createdAt` has `created` and `at`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut was_small = false;
    for c in name.chars() {
        let begins = !c.is_alphanumeric() || was_small && c.is_uppercase();
        if begins {
            found.push(String::new());
        }
        if let Some(word) = found.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        was_small = c.is_lowercase() || c.is_ascii_digit();
    }
    found.retain(|word| !word.is_empty());
    found
}

/// Whether two names have the same words in any order, forms of a word taken as one: `date_created` and `creation date`.
pub(crate) fn are_akin(one: &str, other: &str) -> bool {
    let mut rest = words(other);
    let all = words(one).into_iter().all(|word| {
        let at = rest.iter().position(|other| is_form(&word, other));
        at.map(|at| rest.remove(at)).is_some()
    });
    all && rest.is_empty()
}

/// Whether two words may be forms of one.
fn is_form(one: &str, other: &str) -> bool {
    let pairs = one.chars().zip(other.chars());
    let common = pairs.take_while(|(one, other)| one == other).count();
    let shorter = one.chars().count().min(other.chars().count());
    one == other || common >= STEM && common + ENDING >= shorter
}

/// A noun of a path in the singular, in small letters: `Bills` → `bill`, `categories` → `category`.
pub(crate) fn singular(noun: &str) -> String {
    let noun = noun.to_lowercase();
    match noun.strip_suffix("ies") {
        Some(stem) if !stem.is_empty() => format!("{stem}y"),
        _ => noun.strip_suffix('s').unwrap_or(&noun).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_in_the_singular() {
        for (noun, expected) in [
            ("Bills", "bill"),
            ("categories", "category"),
            ("stock", "stock"),
        ] {
            assert_eq!(singular(noun), expected);
        }
    }

    #[test]
    fn names_are_compared_by_their_words() {
        assert_eq!(words("createdAt_2"), ["created", "at", "2"]);
        assert!(are_akin("dateCreated", "creation date"));
        assert!(are_akin("updated_time", "update time"));
        assert!(!are_akin("created_at", "creation date"));
        assert!(!are_akin("date_created", "date"));
        assert!(!are_akin("return_code", "return mode"));
    }
}
