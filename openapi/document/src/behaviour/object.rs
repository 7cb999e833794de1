//! Object: reads one object of a behaviour file field by field, and reports every structural error.

use super::Word;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Entry, Node, Value};
use crate::source::Span;
use crate::spelling::nearest;

/// The rule id for a broken structure.
const STRUCTURE: &str = "behaviour-structure";
/// The rule id for a key that this version does not know.
const UNKNOWN_KEY: &str = "behaviour-unknown-key";

/// An object with its kind, for messages.
#[derive(Debug, Clone, Copy)]
pub(super) struct Object<'n> {
    node: &'n Node,
    kind: &'static str,
}

impl<'n> Object<'n> {
    /// Reads a node as an object of a kind. Reports a node that is no object, and keys that are not
    /// in `keys`.
    pub(super) fn new(
        node: &'n Node,
        kind: &'static str,
        keys: &[&str],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        expect(node, "object", kind, diagnostics);
        for entry in node.entries() {
            let key = entry.key.as_str();
            if keys.contains(&key) || key == "x-provenance" {
                continue;
            }
            let title = format!("`{key}` is not a key of {}", article(kind));
            let help = nearest(key, keys.iter().copied()).map_or_else(
                || format!("its keys are: {}", keys.join(", ")),
                |name| format!("did you mean `{name}`?"),
            );
            let finding = Diagnostic::error(UNKNOWN_KEY, title);
            diagnostics.push(finding.at(entry.key_span, "nothing reads this").help(help));
        }
        Self { node, kind }
    }

    /// The place of the object.
    pub(super) const fn span(&self) -> Span {
        self.node.span
    }

    /// A required value; reports a missing one.
    pub(super) fn value(&self, key: &str, diagnostics: &mut Diagnostics) -> Option<&'n Node> {
        let value = self.node.get(key);
        if value.is_none() {
            self.missing(&format!("`{key}`"), diagnostics);
        }
        value
    }

    /// Reports a missing part.
    pub(super) fn missing(&self, what: &str, diagnostics: &mut Diagnostics) {
        if self.node.as_mapping().is_some() {
            let title = format!("this {} has no {what}", self.kind);
            diagnostics.push(Diagnostic::error(STRUCTURE, title).at(self.node.span, ""));
        }
    }

    /// A required text.
    pub(super) fn text(&self, key: &str, diagnostics: &mut Diagnostics) -> String {
        self.word(key, diagnostics).text
    }

    /// A required word.
    pub(super) fn word(&self, key: &str, diagnostics: &mut Diagnostics) -> Word {
        let word = self
            .value(key, diagnostics)
            .and_then(|value| word(value, key, diagnostics));
        word.unwrap_or_else(|| Word {
            text: String::new(),
            span: self.node.span,
        })
    }

    /// An optional word.
    pub(super) fn may(&self, key: &str, diagnostics: &mut Diagnostics) -> Option<Word> {
        word(self.node.get(key)?, key, diagnostics)
    }

    /// The entries of the object under a key, in order.
    pub(super) fn named(&self, key: &str, diagnostics: &mut Diagnostics) -> Vec<(Word, &'n Node)> {
        let Some(value) = self.node.get(key) else {
            return Vec::new();
        };
        expect(value, "object", key, diagnostics);
        value.entries().map(named).collect()
    }

    /// The items of the list under a key.
    pub(super) fn list(&self, key: &str, diagnostics: &mut Diagnostics) -> &'n [Node] {
        let Some(value) = self.node.get(key) else {
            return &[];
        };
        expect(value, "array", key, diagnostics);
        value.as_sequence().unwrap_or_default()
    }

    /// The words in the list under a key.
    pub(super) fn words(&self, key: &str, diagnostics: &mut Diagnostics) -> Vec<Word> {
        let items = self.list(key, diagnostics).iter();
        items
            .filter_map(|item| word(item, key, diagnostics))
            .collect()
    }

    /// The whole number under a key.
    pub(super) fn number(&self, key: &str, diagnostics: &mut Diagnostics) -> Option<u64> {
        let value = self.node.get(key)?;
        if value.as_u64().is_none() {
            expect(value, "whole number", key, diagnostics);
        }
        value.as_u64()
    }
}

fn named(entry: &Entry) -> (Word, &Node) {
    let name = Word {
        text: entry.key.clone(),
        span: entry.key_span,
    };
    (name, &entry.value)
}

/// A scalar as it was written.
fn word(node: &Node, what: &str, diagnostics: &mut Diagnostics) -> Option<Word> {
    let text = match &node.value {
        Value::String(text) | Value::Number(text) => text.clone(),
        _ => {
            expect(node, "string", what, diagnostics);
            return None;
        }
    };
    Some(Word {
        text,
        span: node.span,
    })
}

/// Reports a value of another type than `kind`.
pub(super) fn expect(node: &Node, kind: &str, what: &str, diagnostics: &mut Diagnostics) {
    let found = node.type_name();
    if found != kind {
        let title = format!("`{what}` has to be {}", article(kind));
        let finding = Diagnostic::error(STRUCTURE, title);
        diagnostics.push(finding.at(node.span, format!("this is of the type {found}")));
    }
}

fn article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}
