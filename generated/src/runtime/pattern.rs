//! Regular expressions of the document.

use std::fmt;
use std::sync::OnceLock;

use regex::Regex;

/// A pattern of the document, compiled when it is first used.
///
/// Patterns are ECMA-262 expressions. The classes `\d` and `\w` mean ASCII characters there, so
/// they are translated. An expression that cannot be compiled ([`is_supported`]) matches
/// everything.
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
        let compiled = self
            .compiled
            .get_or_init(|| Regex::new(&translate(self.source)).ok());
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
    Regex::new(&translate(source)).is_ok()
}

/// Whether any part of the text matches an expression.
pub fn is_match(source: &str, text: &str) -> bool {
    Regex::new(&translate(source)).is_ok_and(|regex| regex.is_match(text))
}

/// ECMA-262 to the syntax of the regex crate, where the two differ in common expressions.
fn translate(source: &str) -> String {
    let mut translated = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            translated.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => translated.push_str("[0-9]"),
            Some('D') => translated.push_str("[^0-9]"),
            Some('w') => translated.push_str("[A-Za-z0-9_]"),
            Some('W') => translated.push_str("[^A-Za-z0-9_]"),
            Some('/') => translated.push('/'),
            Some(escaped) => translated.extend(['\\', escaped]),
            None => translated.push('\\'),
        }
    }
    translated
}
