//! Regular expressions of the document.

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

use super::ecma;

/// A pattern of the document, compiled when it is first used.
///
/// Patterns are ECMA-262 expressions, which are translated: `\d`, say, means ASCII digits there. An
/// expression that has no counterpart ([`is_supported`]) matches everything.
pub struct Pattern {
    source: &'static str,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern with the given source text.
    pub const fn new(source: &'static str) -> Self {
        Self {
            source,
            compiled: OnceLock::new(),
        }
    }

    /// The text of the expression, as the document has it.
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// Whether any part of the text matches.
    pub fn matches(&self, text: &str) -> bool {
        let compiled = self.compiled.get_or_init(|| compile(self.source));
        compiled.as_ref().is_none_or(|regex| regex.is_match(text))
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.source).finish()
    }
}

/// Whether an expression can be compiled, so that it is enforced.
pub fn is_supported(source: &str) -> bool {
    compile(source).is_some()
}

/// Whether any part of the text matches an expression.
pub fn is_match(source: &str, text: &str) -> bool {
    compile(source).is_some_and(|regex| regex.is_match(text))
}

/// The expression, where it can be expressed.
#[doc(hidden)]
pub fn compile(source: &str) -> Option<Regex> {
    Regex::new(&ecma::translate(source)?).ok()
}
