//! Source: a place that a fact was read from.

use openapi_document::Span;

use crate::evidence::Evidence;

/// A place that a fact was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A keyword, status, header, media type, security requirement, link or extension of the document.
    Schema(Span),
    /// An example.
    Example(Span),
    /// The name of an operation, a property, a parameter or a path segment.
    Name(Span),
    /// A sentence of a description.
    Sentence {
        /// The text that contains the sentence.
        span: Span,
        /// The sentence itself.
        text: String,
    },
    /// An entry of the behaviour file.
    Behaviour(Span),
    /// A standard that binds every service, such as `RFC 9110, section 9.3.2`.
    Standard(&'static str),
}

/// The fingerprint of a source's words: FNV-1a of the words joined by single spaces, in
/// hexadecimal.
pub fn fingerprint(words: &str) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut hash = OFFSET;
    for word in words.split_whitespace() {
        for byte in word.bytes().chain([b' ']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }
    format!("{hash:016x}")
}

impl Source {
    /// The strength of this source.
    pub fn evidence(&self) -> Evidence {
        match self {
            Self::Schema(_) | Self::Behaviour(_) | Self::Standard(_) => Evidence::Stated,
            Self::Example(_) => Evidence::Shown,
            Self::Name(_) | Self::Sentence { .. } => Evidence::Read,
        }
    }

    /// The place in the document or behaviour file; `None` for a standard.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Schema(span)
            | Self::Example(span)
            | Self::Name(span)
            | Self::Sentence { span, .. }
            | Self::Behaviour(span) => Some(*span),
            Self::Standard(_) => None,
        }
    }
}
