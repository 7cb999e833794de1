//! Because: a place that a finding rests on, and how well that place supports it.

use std::fmt::{self, Write as _};

use openapi_document::SourceMap;
use openapi_facts::{Evidence, Source};
use serde::{Serialize, Serializer};

use crate::spot::{Spot, spot};

/// So many characters of a source are quoted at most.
const QUOTED: usize = 200;

/// A place that a finding rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Because {
    /// How well the place supports the finding.
    #[serde(serialize_with = "write_evidence")]
    pub evidence: Evidence,
    /// The place.
    #[serde(flatten)]
    pub spot: Spot,
    /// The words that stand there.
    pub words: String,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
pub(crate) fn write_evidence<S: Serializer>(evidence: &Evidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(evidence.as_str())
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {}", self.evidence, self.spot, self.words)
    }
}

impl Because {
    /// A place with its words, which are cut where they are long.
    pub fn new(evidence: Evidence, spot: Spot, words: &str) -> Self {
        Self {
            evidence,
            spot,
            words: quote(words),
        }
    }

    /// A source of a text in `sources`; `None` for a standard, which stands in none.
    pub fn of(sources: &SourceMap, source: &Source) -> Option<Self> {
        let span = source.span()?;
        let spot = spot(sources, span);
        let text = match source {
            Source::Sentence { text, .. } => text,
            _ => words(sources, span, spot.line),
        };
        Some(Self::new(source.evidence(), spot, text))
    }
}

/// The line a span begins on; the span alone where the line is too long to quote, as in a document on one line.
fn words(sources: &SourceMap, span: openapi_document::Span, line: usize) -> &str {
    let file = sources.file(span.file);
    let line = file.line_text(line).unwrap_or_default().trim();
    match file.text().get(span.range()) {
        Some(exact) if line.len() > QUOTED => exact,
        _ => line,
    }
}

/// The text on one line, cut where it is long.
fn quote(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.chars().nth(QUOTED).is_some() {
            words = words.chars().take(QUOTED).chain(['…']).collect();
            break;
        }
    }
    words
}

/// Several places, each on a line that begins with a line break.
pub(crate) fn lines(because: &[Because]) -> String {
    let mut text = String::new();
    for source in because {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{source}");
    }
    text
}

/// The strongest evidence of several places.
pub fn strongest(because: &[Because]) -> Evidence {
    let all = because.iter().map(|source| source.evidence);
    all.max().unwrap_or(Evidence::Read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut() {
        assert_eq!(quote("  a\n  b "), "a b");
        let long = quote(&"word ".repeat(100));
        assert_eq!(long.chars().count(), QUOTED + 1);
        assert!(long.ends_with('…'), "{long}");
    }

    #[test]
    fn a_source_is_quoted_by_its_line_or_in_a_long_line_by_itself() {
        let short = "openapi: 3.0.4\ninfo:\n  title: Shop\n  version: '1'\npaths: {}\n";
        let long = format!(
            r#"{{"openapi":"3.0.4","info":{{"title":"{}","version":"1"}},"paths":{{}}}}"#,
            "x".repeat(300)
        );
        for (text, expected) in [(short, "version: '1'"), (&long, "\"1\"")] {
            let document = openapi_document::loader::load_text("api.yaml", text).unwrap();
            let version = document.root.get("info").unwrap().get("version").unwrap();
            let source = Source::Schema(version.span);
            let because = Because::of(&document.sources, &source).unwrap();
            assert_eq!(because.words, expected);
            assert_eq!(because.evidence, Evidence::Stated);
        }
    }
}
