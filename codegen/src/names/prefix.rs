//! Strips the words that all values of an enumeration begin with.

use std::collections::BTreeSet;

use super::identifier::camel;

/// The texts without the words that they all begin with, such as `CARD` for `CHANNEL_CARD`. Keeps
/// them unchanged when a text would have no valid name left, or two texts the same name.
pub(super) fn stripped<'t>(texts: &[&'t str]) -> Vec<&'t str> {
    let length = shared(texts);
    let short: Vec<&str> = texts.iter().map(|text| &text[length..]).collect();
    let names: BTreeSet<String> = short.iter().map(|text| camel(text)).collect();
    let named = short
        .iter()
        .all(|text| text.starts_with(|first: char| first.is_alphabetic()));
    let whole: BTreeSet<String> = texts.iter().map(|text| camel(text)).collect();
    if texts.len() > 1 && named && names.len() == whole.len() {
        return short;
    }
    texts.to_vec()
}

/// How many bytes of whole words all texts begin with.
fn shared(texts: &[&str]) -> usize {
    let Some((first, others)) = texts.split_first() else {
        return 0;
    };
    let ends = first
        .char_indices()
        .filter(|(_, letter)| matches!(letter, '_' | '-' | '.' | ':'));
    let ends = ends.map(|(at, letter)| at + letter.len_utf8());
    let is_word = |end: &usize| first[..*end].contains(char::is_alphanumeric);
    let ends = ends.filter(is_word);
    let common = |end: &usize| others.iter().all(|other| other.starts_with(&first[..*end]));
    ends.take_while(common).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::stripped;

    #[test]
    fn shared_words_are_dropped() {
        for (texts, expected) in [
            (vec!["PCL_CARD", "PCL_CRYPTO"], vec!["CARD", "CRYPTO"]),
            (vec!["a.b.on", "a.b.off"], vec!["on", "off"]),
            (vec!["state_a", "state_b"], vec!["a", "b"]),
        ] {
            assert_eq!(stripped(&texts), expected);
        }
    }

    #[test]
    fn texts_stay_where_a_name_would_be_lost() {
        for texts in [
            vec!["PCL_CARD"],
            vec!["CARD", "CARD_LEAN"],
            vec!["card", "cash"],
            vec!["tls_1", "tls_2"],
            vec!["x_", "x_y"],
            vec!["-created", "-updated", "created"],
            vec!["-a", "-b"],
        ] {
            assert_eq!(stripped(&texts), texts);
        }
    }
}
