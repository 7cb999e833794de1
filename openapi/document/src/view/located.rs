//! Located: a node with its pointer.

use crate::node::{Entry, Node};
use crate::pointer::Pointer;

/// A node with its pointer in the bundle.
#[derive(Debug, Clone)]
pub struct Located<'d> {
    /// The node.
    pub node: &'d Node,
    /// Its pointer.
    pub pointer: Pointer,
}

impl<'d> Located<'d> {
    /// The value of a key, with its pointer.
    pub fn get(&self, key: &str) -> Option<Located<'d>> {
        let node = self.node.get(key)?;
        Some(Located {
            node,
            pointer: self.pointer.join(key),
        })
    }

    /// The entries, each value with its pointer.
    pub fn entries(&self) -> impl Iterator<Item = (&'d Entry, Located<'d>)> + '_ {
        self.node.entries().map(|entry| {
            let pointer = self.pointer.join(entry.key.as_str());
            (
                entry,
                Located {
                    node: &entry.value,
                    pointer,
                },
            )
        })
    }

    /// The items, each with its pointer.
    pub fn items(&self) -> impl Iterator<Item = Located<'d>> + '_ {
        self.node.items().enumerate().map(|(index, node)| Located {
            node,
            pointer: self.pointer.join(index.to_string()),
        })
    }
}
