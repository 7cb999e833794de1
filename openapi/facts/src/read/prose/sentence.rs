//! Sentence: the sentences of a description.

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 9] = [
    "e.g", "i.e", "etc", "vs", "approx", "incl", "cf", "no", "ca",
];

/// A description is read so far at most, in bytes.
const LONGEST: usize = 100_000;

/// A longer tag is none.
const LONGEST_TAG: usize = 200;

/// The sentences of a description: without headings, tables and code blocks, each on one line.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    let mut in_code = false;
    let end = text.floor_char_boundary(LONGEST);
    for line in text[..end].lines() {
        let line = line.trim();
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code || line.starts_with('|') || line.starts_with('#') {
            split(&open, &mut found);
            open.clear();
            continue;
        }
        let item = bullet(line);
        if line.is_empty() || item.is_some() {
            split(&open, &mut found);
            open.clear();
        }
        if !open.is_empty() {
            open.push(' ');
        }
        open.push_str(item.unwrap_or(line));
    }
    split(&open, &mut found);
    found
}

/// The text of an item of a list.
fn bullet(line: &str) -> Option<&str> {
    let marked = ["* ", "- ", "+ ", "• "];
    marked.iter().find_map(|mark| line.strip_prefix(mark))
}

fn split(paragraph: &str, found: &mut Vec<String>) {
    let plain = without_tags(paragraph);
    let mut start = 0;
    let mut in_code = false;
    let bytes = plain.as_bytes();
    for (at, c) in plain.char_indices() {
        if c == '`' {
            in_code = !in_code;
        }
        let next = bytes.get(at + 1);
        let ends = matches!(c, '.' | '!' | '?') && !in_code;
        let is_end = next.is_none_or(u8::is_ascii_whitespace);
        if ends && is_end && !is_abbreviation(&plain[start..at]) {
            push(&plain[start..=at], found);
            start = at + 1;
        }
    }
    push(&plain[start..], found);
}

fn push(sentence: &str, found: &mut Vec<String>) {
    let sentence = sentence.trim();
    if sentence.len() > 2 {
        found.push(sentence.to_owned());
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let word = word.to_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
}

/// A text without HTML tags.
fn without_tags(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let (before, tag) = rest.split_at(start);
        plain.push_str(before);
        let is_tag = tag[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
        let end = tag.find('>').filter(|end| is_tag && *end < LONGEST_TAG);
        if let Some(end) = end {
            let name = tag[1..end].trim_start_matches('/');
            plain.push_str(if name.starts_with("code") { "`" } else { " " });
            rest = &tag[end + 1..];
        } else {
            plain.push('<');
            rest = &tag[1..];
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_split_into_sentences() {
        let text = "# Head\nLists the parcels, e.g. those of a\nday. They are sorted.\n\n* `open`: it waits\n* `sent`\n\n\
                    | a | b |\n```\ncode. here\n```\n<p>Uses <code>v1.2</code> only.</p>";
        assert_eq!(
            sentences(text),
            [
                "Lists the parcels, e.g. those of a day.",
                "They are sorted.",
                "`open`: it waits",
                "`sent`",
                "Uses `v1.2` only."
            ]
        );
    }
}
