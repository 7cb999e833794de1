//! Name: compares names regardless of how they are written.

/// Words that share this many first letters may be forms of one word.
const STEM: usize = 5;

/// The maximum number of letters in which the shorter word may differ at its end.
const ENDING: usize = 2;

/// A name in lower case, without separators: `created_at`, `createdAt` and `created-at` become the
/// same.
pub(crate) fn normalized(name: &str) -> String {
    let plain = name.chars().filter(|c| c.is_alphanumeric());
    plain.flat_map(char::to_lowercase).collect()
}

/// The words of a name, in lower case: `createdAt` has `created` and `at`.
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

/// Whether two names have the same words in any order and form: `date_created` and `creation date`.
pub(crate) fn are_akin(one: &str, other: &str) -> bool {
    let mut rest = words(other);
    let all = words(one).into_iter().all(|word| {
        let at = rest.iter().position(|other| is_form(&word, other));
        at.map(|at| rest.remove(at)).is_some()
    });
    all && rest.is_empty()
}

/// Whether two words may be forms of one word.
fn is_form(one: &str, other: &str) -> bool {
    let pairs = one.chars().zip(other.chars());
    let common = pairs.take_while(|(one, other)| one == other).count();
    let shorter = one.chars().count().min(other.chars().count());
    one == other || common >= STEM && common + ENDING >= shorter
}

/// A path noun in the singular and in lower case: `Bills` → `bill`, `categories` → `category`.
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
