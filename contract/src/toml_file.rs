//! TOML file: reads a file of the gate, and collects all errors with their places.

use std::fs;
use std::ops::Range;
use std::path::Path;

use openapi_document::source::FileId;
use openapi_document::{Diagnostic, Span};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problems::Problems;

/// Reads values of a TOML file and collects errors.
#[derive(Debug)]
pub struct TomlFile {
    /// The errors so far.
    pub problems: Problems,
    /// The source text.
    pub file: FileId,
    rule: &'static str,
}

impl TomlFile {
    /// Reads a file; `rule` is the rule id of its errors.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(path: &Path, rule: &'static str) -> Result<(Self, String), Problems> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Self::of(path, &text, rule)),
            Err(error) => {
                let title = format!("failed to read `{}`: {error}", path.display());
                Err(Problems::one(rule, title, "check the path"))
            }
        }
    }

    /// Creates it from a text.
    pub fn of(path: &Path, text: &str, rule: &'static str) -> (Self, String) {
        let mut problems = Problems::default();
        let text = text.trim_start_matches('\u{feff}').to_owned();
        let file = problems.sources.add(path, text.clone());
        let file_of_text = Self {
            problems,
            file,
            rule,
        };
        (file_of_text, text)
    }

    /// The top-level table; syntax errors are recorded.
    pub fn table<'t>(&mut self, text: &'t str) -> DeTable<'t> {
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in errors {
            let range = error.span().unwrap_or_default();
            self.wrong(range, error.message(), "here", None);
        }
        table.into_inner()
    }

    /// Records an error.
    pub fn wrong(
        &mut self,
        range: Range<usize>,
        title: impl Into<String>,
        label: &str,
        help: Option<String>,
    ) {
        let mut diagnostic = Diagnostic::error(self.rule, title).at(self.span(range), label);
        diagnostic.help = help;
        self.problems.diagnostics.push(diagnostic);
    }

    /// Converts a byte range to a span.
    pub fn span(&self, range: Range<usize>) -> Span {
        let index = |byte| u32::try_from(byte).unwrap_or(u32::MAX);
        Span {
            file: self.file,
            start: index(range.start),
            end: index(range.end),
        }
    }

    /// Records an unknown key.
    pub fn unknown_key(&mut self, key: &str, range: Range<usize>, known: &[&'static str]) {
        let help = match openapi_document::spelling::nearest(key, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("the keys are {}", known.join(", ")),
        };
        let title = format!("there is no key `{key}`");
        self.wrong(range, title, "nothing reads this", Some(help));
    }

    /// The string of a value; other types are recorded as errors.
    pub fn string(&mut self, value: &Spanned<DeValue<'_>>, key: &str) -> Option<String> {
        if let DeValue::String(text) = value.get_ref() {
            return Some(text.to_string());
        }
        let title = format!("`{key}` is not a string");
        self.wrong(value.span(), title, "write it in quotes", None);
        None
    }

    /// The strings of a value, which may be one string or a list, each with its place.
    pub fn strings(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        key: &str,
    ) -> Vec<(String, Range<usize>)> {
        let items: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
            DeValue::Array(items) => items.iter().collect(),
            _ => vec![value],
        };
        let mut texts = Vec::new();
        for item in items {
            if let Some(text) = self.string(item, key) {
                texts.push((text, item.span()));
            }
        }
        texts
    }

    /// Returns the result, or all errors.
    ///
    /// # Errors
    /// There are errors.
    pub fn finish<T>(mut self, read: T) -> Result<T, Problems> {
        if self.problems.diagnostics.is_empty() {
            return Ok(read);
        }
        self.problems.diagnostics.sort();
        Err(self.problems)
    }
}
