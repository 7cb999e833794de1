//! Correction: what refusals say about the properties of an invented body, so that the next one is
//! more likely to be accepted.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use openapi_document::{Node, Pointer};

use crate::names;
use crate::value;

/// At most this many corrections are made for one operation.
const MOST: usize = 24;

/// After this many vain attempts to correct a body, no more are learned.
const VAIN: usize = 4;

/// Parts of the names of objects whose keys are the properties at fault: `errors: {name: […]}`.
const HOLDERS: [&str; 4] = ["error", "field", "violation", "propert"];

/// Words that say that another record has a value.
const TAKEN: [&str; 5] = ["unique", "exists", "taken", "duplicate", "already"];

/// A change of an invented body.
#[derive(Debug, Clone)]
pub(crate) enum Correction {
    /// The property is left out.
    LeftOut,
    /// The property has another value.
    Set(Node),
}

/// The corrections of the bodies of one operation.
#[derive(Debug, Default)]
pub(crate) struct Corrections(Mutex<Learned>);

#[derive(Debug, Default)]
struct Learned {
    /// The corrections in their order.
    all: Vec<(Pointer, Correction)>,
    /// How often all of them were in vain.
    in_vain: usize,
}

/// Words that say that a property is missing.
const MISSING: [&str; 2] = ["required", "missing"];

impl Corrections {
    fn learned(&self) -> MutexGuard<'_, Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes an invented body.
    pub(crate) fn apply(&self, body: &mut Node) {
        for (pointer, correction) in &self.learned().all {
            match correction {
                // A place that this body lacks needs no correction.
                Correction::Set(node) => drop(value::put(body, pointer, node.clone())),
                Correction::LeftOut => value::take(body, pointer),
            }
        }
    }

    /// Adds a correction. Returns whether there was room for it.
    pub(crate) fn add(&self, pointer: Pointer, correction: Correction) -> bool {
        let mut learned = self.learned();
        let has_room = learned.all.len() < MOST && learned.in_vain < VAIN;
        if has_room {
            learned.all.push((pointer, correction));
        }
        has_room
    }

    /// The number of corrections so far.
    pub(crate) fn count(&self) -> usize {
        self.learned().all.len()
    }

    /// Removes the corrections after the first `count`, as they led to no success.
    pub(crate) fn undo(&self, count: usize) {
        let mut learned = self.learned();
        learned.in_vain += usize::from(learned.all.len() > count);
        learned.all.truncate(count);
    }

    /// Whether a property was left out, and whether it got another value.
    pub(crate) fn tried(&self, pointer: &Pointer) -> (bool, bool) {
        let learned = self.learned();
        let of_place = || learned.all.iter().filter(|item| item.0 == *pointer);
        (
            of_place().any(|item| matches!(item.1, Correction::LeftOut)),
            of_place().any(|item| matches!(item.1, Correction::Set(_))),
        )
    }
}

/// What a refusal says about the properties of a body.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// The words that may be names of properties.
    named: BTreeSet<String>,
    /// The quoted parts of texts.
    quoted: BTreeSet<String>,
    /// All words of texts, in lower case.
    words: BTreeSet<String>,
    /// The quoted words of texts about something missing.
    pub(crate) wanted: BTreeSet<String>,
    /// Whether it says that another record has a value.
    pub(crate) is_taken: bool,
}

impl Complaint {
    /// Reads the body of a refusal.
    pub(crate) fn of(refusal: &Node) -> Self {
        let mut complaint = Self::default();
        complaint.read(refusal, false);
        complaint
    }

    /// Whether it names a property.
    pub(crate) fn names(&self, property: &str) -> bool {
        self.named.iter().any(|word| names::same(word, property))
    }

    /// Whether it quotes a value.
    pub(crate) fn quotes(&self, value: &str) -> bool {
        self.quoted.contains(value)
    }

    /// Whether the name of a property is a word of a text.
    pub(crate) fn mentions(&self, property: &str) -> bool {
        self.words.contains(&property.to_lowercase())
    }

    fn read(&mut self, node: &Node, are_fields: bool) {
        if let Some(text) = node.as_str() {
            self.text(text);
        }
        for item in node.as_sequence().unwrap_or_default() {
            self.read(item, false);
        }
        for entry in node.entries() {
            if are_fields {
                self.named.insert(entry.key.clone());
            }
            let key = entry.key.to_lowercase();
            let holds = HOLDERS.iter().any(|part| key.contains(part));
            self.read(&entry.value, holds);
        }
    }

    /// Adds the quoted parts of a text, the segments of a pointer or path, its first word, and
    /// words in the form of an identifier.
    fn text(&mut self, text: &str) {
        let is_name = |word: &&str| {
            let mut chars = word.chars();
            !word.is_empty() && chars.all(|char| char.is_alphanumeric() || "_-$".contains(char))
        };
        let is_missing = MISSING.iter().any(|word| text.contains(word));
        for quote in ['"', '\'', '`'] {
            let quoted: Vec<&str> = text.split(quote).skip(1).step_by(2).collect();
            self.quoted
                .extend(quoted.iter().map(|part| (*part).to_owned()));
            let parts = quoted
                .iter()
                .flat_map(|part| part.split(['.', '/', '[', ']']));
            let parts: Vec<String> = parts.filter(is_name).map(str::to_owned).collect();
            if is_missing {
                self.wanted.extend(parts.iter().cloned());
            }
            self.named.extend(parts);
        }
        if !text.contains(' ') {
            let parts = text.split(['.', '/', '#', '[', ']']);
            self.named.extend(parts.filter(is_name).map(str::to_owned));
            return;
        }
        let words = text.split(|char: char| !(char.is_alphanumeric() || "_-$.".contains(char)));
        let words: Vec<&str> = words.map(|word| word.trim_matches('.')).collect();
        let is_identifier = |word: &str| {
            let has_hump = word.chars().any(char::is_uppercase);
            let is_lower = word.starts_with(char::is_lowercase);
            is_lower && (word.contains('_') || has_hump)
        };
        for (at, word) in words.iter().enumerate() {
            if at == 0 || is_identifier(word) {
                let parts = word.split('.').filter(is_name);
                self.named.extend(parts.map(str::to_owned));
            }
            self.is_taken |= TAKEN.contains(&word.to_lowercase().as_str());
            self.words.insert(word.to_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_name_properties() {
        for (refusal, expected, is_taken) in [
            (r#"{"message":"\"title\" is not allowed"}"#, true, false),
            (
                r#"{"errors":[{"source":{"pointer":"/data/title"}}]}"#,
                true,
                false,
            ),
            (
                r#"{"detail":[{"loc":["body","title"],"msg":"field required"}]}"#,
                true,
                false,
            ),
            (r#"{"errors":{"title":["is missing"]}}"#, true, false),
            (r#"{"message":["title must be a string"]}"#, true, false),
            (
                r#"{"error":"the value of `title` has to be unique"}"#,
                true,
                true,
            ),
            (
                r#"{"title":"Bad Request","detail":"It cannot be read"}"#,
                false,
                false,
            ),
            (
                r#"{"message":"the title of the book is wrong"}"#,
                false,
                false,
            ),
        ] {
            let refusal = openapi_document::json::read_text(refusal).unwrap();
            let complaint = Complaint::of(&refusal);
            assert_eq!(complaint.names("title"), expected, "{complaint:?}");
            assert_eq!(complaint.is_taken, is_taken, "{complaint:?}");
        }
    }

    #[test]
    fn corrections_change_a_body_in_their_order() {
        let corrections = Corrections::default();
        let at = Pointer::root().join("size");
        assert!(corrections.add(at.clone(), Correction::LeftOut));
        let mut body = openapi_document::json::read_text(r#"{"name":"a","size":1}"#).unwrap();
        corrections.apply(&mut body);
        assert_eq!(body.to_json(), r#"{"name":"a"}"#);
        assert_eq!(corrections.tried(&at), (true, false));
        corrections.add(at.clone(), Correction::Set(value::number(2)));
        corrections.apply(&mut body);
        assert_eq!(body.to_json(), r#"{"name":"a","size":2}"#);
        assert_eq!(corrections.tried(&at), (true, true));
    }
}
