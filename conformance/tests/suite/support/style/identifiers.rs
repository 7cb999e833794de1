//! Replaces the ids of records that the server named.

use std::collections::{HashMap, HashSet};

use axum::http::HeaderMap;
use serde_json::Value;

use super::texts;

/// Pairs of original and replaced ids.
pub(super) struct Identifiers {
    /// The document. An id in it may belong to a record that exists from the start.
    document: String,
    /// Texts that a client sent: a record keeps an id that the client chose.
    sent: HashSet<String>,
    changed: HashMap<String, String>,
    original: HashMap<String, String>,
}

impl Identifiers {
    pub(super) fn new(document: String) -> Self {
        let (sent, changed, original) = Default::default();
        Self {
            document,
            sent,
            changed,
            original,
        }
    }

    pub(super) fn note_sent(&mut self, body: &Value) {
        let mut body = body.clone();
        texts::map(&mut body, &mut |_, text| {
            self.sent.insert(text.to_owned());
            None
        });
    }

    pub(super) fn original(&mut self, text: &str) -> Option<String> {
        // This server does not know the original form of a replaced id.
        let known = self.original.get(text).or_else(|| self.changed.get(text));
        let known = known.cloned();
        if known.is_none() {
            self.sent.insert(text.to_owned());
        }
        known
    }

    pub(super) fn changed(&self, text: &str) -> Option<String> {
        self.changed.get(text).cloned()
    }

    /// Replaces each id in an answer, where the answer still fits the document. Ids in a header
    /// stay.
    pub(super) fn change(
        &mut self,
        body: &mut Value,
        headers: &HeaderMap,
        fits: &dyn Fn(&Value) -> bool,
    ) {
        let mut ids = self.new_ids(body);
        ids.retain(|id| !headers.values().any(|value| value == id.as_str()));
        let variants: [fn(&str) -> String; 3] = [longer, complement, str::to_owned];
        for variant in variants {
            let pairs = || ids.iter().map(|id| (id.clone(), variant(id)));
            let changes: HashMap<String, String> = pairs().collect();
            let mut changed = body.clone();
            texts::map(&mut changed, &mut |_, text| {
                changes.get(text).cloned().or_else(|| self.changed(text))
            });
            let is_taken = pairs().any(|(_, other)| self.original.contains_key(&other));
            if ids.is_empty() || !is_taken && fits(&changed) {
                self.original.extend(pairs().map(|(id, other)| (other, id)));
                self.changed.extend(changes);
                break;
            }
        }
        texts::map(body, &mut |_, text| self.changed(text));
    }

    fn new_ids(&self, body: &Value) -> Vec<String> {
        let mut ids: Vec<String> = Vec::new();
        texts::map(&mut body.clone(), &mut |name, text| {
            let is_id = name == "id" || name.ends_with("_id") || name.ends_with("Id");
            let is_known = self.changed.contains_key(text) || self.sent.contains(text);
            let is_shown = text.is_empty() || self.document.contains(text);
            if is_id && !is_known && !is_shown && !ids.iter().any(|id| id == text) {
                ids.push(text.to_owned());
            }
            None
        });
        ids
    }
}

fn longer(id: &str) -> String {
    format!("{id}z7")
}

/// The text with each digit replaced by its complement to nine, which patterns do not notice.
fn complement(id: &str) -> String {
    let other = |letter: char| match letter.to_digit(10) {
        Some(digit) => char::from_digit(9 - digit, 10).unwrap_or(letter),
        None => letter,
    };
    id.chars().map(other).collect()
}
