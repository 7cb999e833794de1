//! Because: a place in the contract that a finding rests on, and its evidence.

use std::fmt::{self, Write as _};

use openapi_document::SourceMap;
use openapi_facts::{Evidence, Source};
use serde::{Serialize, Serializer};

use crate::spot::{Spot, spot};

/// The longest quotation of a source, in characters.
const QUOTED: usize = 200;

/// A place that a finding rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Because {
    /// How the place supports the finding.
    #[serde(serialize_with = "write_evidence")]
    pub evidence: Evidence,
    /// The place.
    #[serde(flatten)]
    pub spot: Spot,
    /// The text at the place.
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
    /// Creates one; cuts long words off.
    pub fn new(evidence: Evidence, spot: Spot, words: &str) -> Self {
        Self {
            evidence,
            spot,
            words: quote(words),
        }
    }

    /// The place of a source in `sources`. `None` for a standard, which is in no file.
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

/// The line on which a span begins. Returns only the span when the line is too long to quote, as in
/// a document on one line.
fn words(sources: &SourceMap, span: openapi_document::Span, line: usize) -> &str {
    let file = sources.file(span.file);
    let line = file.line_text(line).unwrap_or_default().trim();
    match file.text().get(span.range()) {
        Some(exact) if line.len() > QUOTED => exact,
        _ => line,
    }
}

/// The text on one line, cut after [`QUOTED`] characters.
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

/// The places, each on a new line.
pub(crate) fn lines(because: &[Because]) -> String {
    let mut text = String::new();
    for source in because {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{source}");
    }
    text
}

/// The strongest evidence of the places.
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
    fn a_source_is_quoted_with_its_line_unless_the_line_is_long() {
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
