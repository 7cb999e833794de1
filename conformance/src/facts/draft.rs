//! Drafts: writes the facts that were read into the behaviour file, and rulings on them.

use std::fmt::Write as _;

use openapi_document::Span;
use openapi_facts::{Entry, Evidence, Fact, Ruling, fingerprint};

use super::{Reading, sentence};

/// The text of a behaviour file without entries.
const EMPTY: &str = "behaviour: 2.0.0\n";

/// The behaviour file with a draft entry for each fact that was read and has no entry. Returns the
/// number of new entries too.
pub fn drafted(reading: &Reading) -> (String, usize) {
    let is_new = |fact: &&Fact| {
        let mut entries = reading.facts.entries.iter();
        fact.evidence() == Evidence::Read && !entries.any(|entry| entry.id == fact.id)
    };
    let new: Vec<&Fact> = reading.facts.list.iter().filter(is_new).collect();
    let drafts: String = new.iter().map(|fact| draft(reading, fact, true)).collect();
    (inserted(reading, &drafts), new.len())
}

/// The behaviour file with facts accepted. Adds entries for facts that have none.
///
/// # Errors
/// An id belongs to no fact; names it.
pub fn accepted(reading: &Reading, ids: &[String]) -> Result<String, String> {
    ruled(reading, ids, Ruling::Accepted)
}

/// The behaviour file with facts rejected. Adds entries for facts that have none.
///
/// # Errors
/// An id belongs to no fact; names it.
pub fn rejected(reading: &Reading, ids: &[String]) -> Result<String, String> {
    ruled(reading, ids, Ruling::Rejected)
}

fn ruled(reading: &Reading, ids: &[String], ruling: Ruling) -> Result<String, String> {
    let mut new = String::new();
    let mut changes: Vec<(Span, &str)> = Vec::new();
    for id in ids {
        let entry = reading
            .facts
            .entries
            .iter()
            .find(|entry| entry.id.as_str() == id);
        let mut facts = reading.facts.list.iter();
        match (entry, facts.find(|fact| fact.id.as_str() == id)) {
            (Some(entry), _) => changes.extend(change(entry, ruling)),
            (None, Some(fact)) => {
                let text = draft(reading, fact, false);
                new.push_str(&text);
                if ruling == Ruling::Rejected {
                    new.push_str("    rejected: true\n");
                }
            }
            (None, None) => {
                return Err(format!(
                    "no fact is called `{id}`: `conformance facts` lists them"
                ));
            }
        }
    }
    let mut text = inserted(reading, &new);
    // From the end, so that earlier places stay valid. New entries come after all others.
    changes.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    for (span, mark) in changes {
        replace(&mut text, span, mark);
    }
    Ok(text)
}

/// How a ruling changes the mark of an entry. `None` when it changes nothing.
fn change(entry: &Entry, ruling: Ruling) -> Option<(Span, &'static str)> {
    let mark = match ruling {
        Ruling::Accepted => "",
        Ruling::Draft => "draft: true",
        Ruling::Rejected => "rejected: true",
    };
    match entry.mark {
        Some(span) => Some((span, mark)),
        // An entry without a mark gets one after its last line.
        None if !mark.is_empty() => {
            let end = Span {
                start: entry.span.end,
                ..entry.span
            };
            Some((end, "\n    rejected: true"))
        }
        None => None,
    }
}

/// Replaces a mark. Removes a line that becomes empty.
fn replace(text: &mut String, span: Span, mark: &str) {
    let (mut start, mut end) = (span.start as usize, span.end as usize);
    if mark.is_empty() {
        let before = text.get(..start).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let is_alone = text
            .get(line..start)
            .is_some_and(|before| before.trim().is_empty());
        let rest = text.get(end..).unwrap_or_default();
        if is_alone && rest.starts_with(['\n', '\r']) {
            start = line.saturating_sub(1);
        }
    }
    end = end.max(start).min(text.len());
    if text.is_char_boundary(start) && text.is_char_boundary(end) {
        text.replace_range(start..end, mark);
    }
}

/// The entry of a fact, with its sources as a comment.
fn draft(reading: &Reading, fact: &Fact, is_draft: bool) -> String {
    let mut text = String::new();
    for source in { fact.because.iter() }.filter_map(|source| reading.because(source)) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  # {}: {}", source.spot, source.words);
    }
    let _ = writeln!(text, "  - {}", fact.rule.entry());
    if let Some(words) = fact.because.iter().find_map(sentence) {
        let _ = writeln!(text, "    sentence: '{}'", fingerprint(words));
    }
    if is_draft {
        text.push_str("    draft: true\n");
    }
    text
}

/// The behaviour file with entries added at the end of `facts`.
fn inserted(reading: &Reading, entries: &str) -> String {
    let mut files = reading.behaviour.sources.files();
    let mut text = files
        .next()
        .map_or(EMPTY, |(_, file)| file.text())
        .to_owned();
    if entries.is_empty() {
        return text;
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    match reading.behaviour.facts.last() {
        None => {
            let _ = write!(text, "\nfacts:\n{entries}");
        }
        Some(last) => {
            let end = (last.span.end as usize).min(text.len());
            let rest = text.get(end..).unwrap_or_default();
            let line = rest.find('\n').map_or(text.len(), |at| end + at + 1);
            text.insert_str(line, entries);
        }
    }
    text
}
