//! The properties and items that keywords have looked at, for `unevaluatedProperties` and
//! `unevaluatedItems`.

use std::collections::BTreeSet;

/// What has been looked at.
#[derive(Debug, Default)]
pub(super) struct Seen {
    properties: BTreeSet<String>,
    items: BTreeSet<usize>,
}

impl Seen {
    pub(super) fn property(&mut self, name: &str) {
        if !self.properties.contains(name) {
            self.properties.insert(name.to_owned());
        }
    }

    pub(super) fn item(&mut self, index: usize) {
        self.items.insert(index);
    }

    pub(super) fn has_property(&self, name: &str) -> bool {
        self.properties.contains(name)
    }

    pub(super) fn has_item(&self, index: usize) -> bool {
        self.items.contains(&index)
    }

    pub(super) fn add(&mut self, other: Self) {
        self.properties.extend(other.properties);
        self.items.extend(other.items);
    }
}
