//! Sentence: splits a description into sentences.

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 9] = [
    "e.g", "i.e", "etc", "vs", "approx", "incl", "cf", "no", "ca",
];

/// The maximum number of bytes of a description that are read.
const LONGEST: usize = 100_000;

/// A longer text between angle brackets is not a tag.
const LONGEST_TAG: usize = 200;

/// A sentence of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) text: String,
    /// The topic of the list item that contains it: `limit` of `- limit: how many`.
    pub(crate) topic: Option<String>,
    /// The previous sentence.
    pub(crate) before: Option<String>,
}

/// A paragraph, or a list item.
#[derive(Default)]
struct Paragraph {
    text: String,
    is_item: bool,
}

/// Splits a description into sentences on one line each, without headings, tables and code blocks.
pub(crate) fn sentences(text: &str) -> Vec<Sentence> {
    let mut found = Vec::new();
    let mut open = Paragraph::default();
    let mut in_code = false;
    let end = text.floor_char_boundary(LONGEST);
    for line in text[..end].lines() {
        let line = line.trim();
        if line.starts_with("```") {
            in_code = !in_code;
            continue;
        }
        if in_code || line.starts_with('|') || line.starts_with('#') {
            split(&std::mem::take(&mut open), &mut found);
            continue;
        }
        let item = bullet(line);
        if line.is_empty() || item.is_some() {
            split(&std::mem::take(&mut open), &mut found);
            open.is_item = item.is_some();
        }
        if !open.text.is_empty() {
            open.text.push(' ');
        }
        open.text.push_str(item.unwrap_or(line));
    }
    split(&open, &mut found);
    found
}

/// The text of a list item; `None` for other lines.
fn bullet(line: &str) -> Option<&str> {
    let marked = ["* ", "- ", "+ ", "• "];
    marked.iter().find_map(|mark| line.strip_prefix(mark))
}

/// The topic of a list item: its first word, before a dash or a colon.
fn topic(item: &str) -> Option<&str> {
    let marks = [": ", " - ", " – "];
    let ends = marks.iter().filter_map(|mark| item.find(mark));
    let head = item.get(..ends.min()?)?;
    let head = head.trim_matches(['`', '*', '"', ' ']);
    let is_word = !head.is_empty() && !head.contains([' ', '.']);
    is_word.then_some(head)
}

fn split(paragraph: &Paragraph, found: &mut Vec<Sentence>) {
    let plain = without_tags(&paragraph.text);
    let topic = topic(&plain).filter(|_| paragraph.is_item);
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
            push(&plain[start..=at], topic, found);
            start = at + 1;
        }
    }
    push(&plain[start..], topic, found);
}

fn push(sentence: &str, topic: Option<&str>, found: &mut Vec<Sentence>) {
    let sentence = sentence.trim();
    if sentence.len() > 2 {
        found.push(Sentence {
            text: sentence.to_owned(),
            topic: topic.map(str::to_owned),
            before: found.last().map(|before: &Sentence| before.text.clone()),
        });
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let word = word.to_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
}

/// Removes HTML tags.
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
        let found: Vec<String> = { sentences(text).into_iter() }
            .map(|sentence| sentence.text)
            .collect();
        assert_eq!(
            found,
            [
                "Lists the parcels, e.g. those of a day.",
                "They are sorted.",
                "`open`: it waits",
                "`sent`",
                "Uses `v1.2` only."
            ]
        );
    }

    #[test]
    fn sentences_of_an_item_have_its_topic() {
        let text = "Of all:\n- `limit` - how many. At most 5.\n- at all times: this";
        let found: Vec<Option<String>> = { sentences(text).into_iter() }
            .map(|sentence| sentence.topic)
            .collect();
        let limit = || Some("limit".to_owned());
        assert_eq!(found, [None, limit(), limit(), None]);
    }
}
