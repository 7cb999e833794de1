//! Prose: splits descriptions into sentences and words.

use openapi_document::Node;

use crate::names;

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATED: [&str; 6] = ["e.g", "i.e", "etc", "vs", "approx", "incl"];

/// The sentences of a text, and its clauses between semicolons. A list item and a paragraph end a
/// sentence. A wrapped line and a decimal point do not.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut from = 0;
    for (at, char) in text.char_indices() {
        let rest = &text[at + char.len_utf8()..];
        if ends(char, &text[from..at], rest) {
            found.push(&text[from..at]);
            from = at + char.len_utf8();
        }
    }
    found.push(&text[from..]);
    let has_words = |char: &&str| char.contains(char::is_alphanumeric);
    found.into_iter().filter(has_words).collect()
}

/// Whether a character ends a sentence.
fn ends(char: char, before: &str, rest: &str) -> bool {
    let is_last = rest
        .chars()
        .next()
        .is_none_or(|next| !next.is_alphanumeric());
    match char {
        ';' => true,
        '.' => is_last && !ABBREVIATED.iter().any(|word| is_word(before, word)),
        '!' | '?' => is_last,
        '\n' => {
            let line = rest.trim_start_matches([' ', '\t']);
            let number = line.trim_start_matches(|char: char| char.is_ascii_digit());
            let is_numbered = number.len() < line.len() && number.starts_with(['.', ')']);
            is_numbered || line.starts_with(['\n', '\r', '-', '*', '#', '|', '>'])
        }
        _ => false,
    }
}

/// Whether a text ends with a word.
fn is_word(text: &str, word: &str) -> bool {
    let before = text.strip_suffix(word);
    before.is_some_and(|before| !before.ends_with(char::is_alphanumeric))
}

/// The words of each sentence, in lower case. `nextCursor` counts as two.
pub fn spoken(text: &str) -> Vec<Vec<String>> {
    sentences(text).into_iter().map(names::words).collect()
}

/// A text without the parts in parentheses, such as the code of a refusal.
pub fn without_asides(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for char in text.chars() {
        match char {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(char),
            _ => {}
        }
    }
    kept.replace("  ", " ")
}

/// The words of a sentence outside of code spans, in lower case.
pub fn unmarked(sentence: &str) -> Vec<String> {
    let plain: Vec<&str> = sentence.split('`').step_by(2).collect();
    names::words(&plain.join(" ").to_lowercase())
}

/// Whether one of the words is in the list.
pub fn has(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// Whether a sentence contains a name, in any spelling: `email` matches `e-mail`.
pub fn speaks_of(words: &[String], name: &str) -> bool {
    let wanted = names::words(name);
    let joined = wanted.concat();
    let lengths = 1..=wanted.len() + 1;
    !wanted.is_empty()
        && lengths
            .into_iter()
            .any(|length| words.windows(length).any(|part| part.concat() == joined))
}

/// Whether a sentence says that letter case does not matter.
pub fn ignores_case(words: &[String]) -> bool {
    const IGNORED: [&str; 7] = [
        "insensitive",
        "insensitively",
        "regardless",
        "irrespective",
        "ignoring",
        "ignored",
        "whatever",
    ];
    let has = |list: &[&str]| has(words, list);
    let both = (has(&["upper"]) && has(&["lower"])) || (has(&["capital"]) && has(&["small"]));
    let are_same = both && has(&["same", "alike"]);
    let is_ignored = has(&["case"]) && has(&IGNORED);
    let is_none = both && has(&["no"]) && has(&["difference", "matter"]);
    (are_same || is_ignored || is_none) && !has(&["not"])
}

/// The texts in a value, such as an example.
pub fn texts_in<'n>(node: &'n Node, found: &mut Vec<&'n str>) {
    found.extend(node.as_str());
    node.entries().for_each(|item| texts_in(&item.value, found));
    node.items().for_each(|item| texts_in(item, found));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_about_letter_case() {
        for (text, expected) in [
            ("Capital and small letters count as the same", true),
            ("Capital and small letters are not the same", false),
            ("Unique, whatever its letter case", true),
            ("Upper and lower case make no difference", true),
            ("Upper and lower case matter", false),
            ("Names are case-insensitive", true),
            ("Kept in lower case", false),
        ] {
            assert_eq!(ignores_case(&names::words(text)), expected, "{text}");
        }
    }

    #[test]
    fn texts_have_sentences() {
        for (text, expected) in [
            ("One. Two; three", &["One", " Two", " three"][..]),
            (
                "At most 10.50 is taken. No more.",
                &["At most 10.50 is taken", " No more"],
            ),
            (
                "A field, e.g. `a.b`, is kept",
                &["A field, e.g. `a.b`, is kept"],
            ),
            ("It is wrapped\nhere", &["It is wrapped\nhere"]),
            ("Steps:\n- one\n- two", &["Steps:", "- one", "- two"]),
            ("First\n\nsecond", &["First", "second"]),
            ("Is it? Yes!", &["Is it", " Yes"]),
            ("1. one\n2) two", &["1", " one", "2) two"]),
            ("", &[]),
        ] {
            let found: Vec<&str> = sentences(text);
            let trimmed: Vec<&str> = found
                .iter()
                .map(|item| item.trim_start_matches('\n'))
                .collect();
            assert_eq!(trimmed, expected, "{text}");
        }
        let plain = unmarked("An Order with `do_not_pay` is refused");
        assert_eq!(plain, ["an", "order", "with", "is", "refused"]);
        let words = [["the", "next", "cursor"], ["is", "null", "there"]];
        assert_eq!(spoken("The `nextCursor`; is NULL there."), words);
    }
}
