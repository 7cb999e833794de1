//! Where a schema is used, and which rules hold there.

use super::registry;
use super::rule::{Direction, Rule};
use super::schema::{Types, Words};
use openapi_document::view::Location;

/// Where a schema is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// As seen by who calls the service: it is turned round in callbacks.
    pub(super) direction: Direction,
    pub(super) root: Root,
    /// Whether it stands inside the schema that the root names.
    pub(super) nested: bool,
    /// Whether it is inside a property that does not travel this way.
    pub(super) hidden: bool,
    /// Whether values are written as text, so that types do not show.
    pub(super) as_text: bool,
}

/// What the schema describes.
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

    /// The beginnings of the ids of rules that hold here, the closest first.
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

    /// The rule for a difference here; nothing where it does not count here.
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

    /// The rule of the closest beginning only.
    fn closest(self, word: &str) -> Option<&'static Rule> {
        registry::rule(&format!("{}-{word}", self.prefixes().first()?))
    }

    fn type_rule(self, word: &str, base: Types, revision: Types) -> Option<&'static Rule> {
        if self.as_text && self.reads_the_same(base, revision) {
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

    /// Where values are written as text, each is one: whoever reads texts reads it.
    fn reads_the_same(self, base: Types, revision: Types) -> bool {
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
