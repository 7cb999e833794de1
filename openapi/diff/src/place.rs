//! Place: where a schema is used, and which rules apply there.

use super::registry;
use super::rule::{Direction, Rule};
use super::schema::{Types, Words};
use openapi_document::view::Location;

/// The place of a schema in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The direction as the client sees it; reversed in callbacks.
    pub(super) direction: Direction,
    pub(super) root: Root,
    /// Whether it is inside the root schema.
    pub(super) nested: bool,
    /// Whether it is inside a property that is absent in this direction (`readOnly`, `writeOnly`).
    pub(super) hidden: bool,
    /// Whether values are serialized as text, so that types are invisible.
    pub(super) as_text: bool,
}

/// The part of a message that the root schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Parameter(Location),
    Header,
    Body,
}

impl Place {
    pub(super) fn new(direction: Direction, root: Root, as_text: bool) -> Self {
        Self {
            direction,
            root,
            nested: false,
            hidden: false,
            as_text,
        }
    }

    /// The prefixes of the rule ids that apply here, most specific first.
    pub(super) fn prefixes(self) -> &'static [&'static str] {
        let request = self.direction == Direction::Request;
        if self.hidden {
            let hidden: [&[&str]; 2] = [
                &["response-write-only-property"],
                &["request-read-only-property"],
            ];
            return hidden[usize::from(request)];
        }
        match (request, self.root, self.nested) {
            (true, Root::Parameter(Location::Header), true) => &[
                "request-header-property",
                "request-parameter-property",
                "request-property",
                "request",
            ],
            (true, Root::Parameter(_), true) => {
                &["request-parameter-property", "request-property", "request"]
            }
            (true, Root::Parameter(_), false) => {
                &["request-parameter", "request-property", "request"]
            }
            (true, Root::Body, false) => &["request-body", "request-property", "request"],
            (true, _, _) => &["request-property", "request"],
            (false, Root::Body, false) => &[
                "response-body",
                "response-mediatype",
                "response-property",
                "response",
            ],
            (false, Root::Header, false) => &["response-header", "response-property", "response"],
            (false, _, _) => &["response-property", "response"],
        }
    }

    /// The rule for a difference; `None` if the difference does not matter here.
    pub(super) fn rule(self, words: Words) -> Option<&'static Rule> {
        match words {
            Words::One(word) => self.find(word),
            Words::Two(keyword, action) => self.find(&format!("{keyword}-{action}")),
            Words::Wrapped(word) => self
                .closest("wrapped-in-one-of")
                .or_else(|| self.find(word)),
            Words::Type {
                word,
                base,
                revision,
            } => self.type_rule(word, base, revision),
            Words::Lifecycle | Words::ReadOnly | Words::WriteOnly => None,
        }
    }

    fn find(self, word: &str) -> Option<&'static Rule> {
        let prefixes = self.prefixes().iter();
        prefixes
            .map(|prefix| format!("{prefix}-{word}"))
            .find_map(|id| registry::rule(&id))
    }

    /// The rule with the most specific prefix.
    fn closest(self, word: &str) -> Option<&'static Rule> {
        registry::rule(&format!("{}-{word}", self.prefixes().first()?))
    }

    fn type_rule(self, word: &str, base: Types, revision: Types) -> Option<&'static Rule> {
        if self.as_text && self.has_same_text_form(base, revision) {
            let compatible = self.closest("type-compatible");
            if let Some(rule) = compatible.or_else(|| self.find("type-generalized")) {
                return Some(rule);
            }
        }
        let exact = self.closest(word).or_else(|| match word {
            "type-generalized" => self.find(word),
            "type-specialized" if self.direction == Direction::Response => self.find(word),
            _ => None,
        });
        exact.or_else(|| self.find("type-changed"))
    }

    /// Whether the type change keeps the text form: everything that is written as text can be read
    /// as a string.
    fn has_same_text_form(self, base: Types, revision: Types) -> bool {
        let scalars = Types::STRING.or(Types::NUMBER).or(Types::BOOLEAN);
        let scalar = |types: Types| !types.is_empty() && scalars.covers(types.without(Types::NULL));
        let (narrow, wide) = match self.direction {
            Direction::Request => (base, revision),
            _ => (revision, base),
        };
        narrow != wide
            && scalar(narrow)
            && scalar(wide)
            && wide.has(Types::STRING)
            && !narrow.has(Types::STRING)
    }
}
