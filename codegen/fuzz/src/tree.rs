//! Places in a tree of nodes.

use fastrand::Rng;
use openapi_document::node::{Entry, Mapping, Node, Value};

/// How many nodes a tree has, its root among them.
pub fn size(node: &Node) -> usize {
    let inner: usize = match &node.value {
        Value::Sequence(items) => items.iter().map(size).sum(),
        Value::Mapping(mapping) => mapping.entries.iter().map(|entry| size(&entry.value)).sum(),
        _ => 0,
    };
    inner + 1
}

/// The node of a number, counted from the root, parents before children.
pub fn nth(node: &mut Node, mut number: usize) -> Option<&mut Node> {
    find(node, &mut number)
}

fn find<'n>(node: &'n mut Node, number: &mut usize) -> Option<&'n mut Node> {
    if *number == 0 {
        return Some(node);
    }
    *number -= 1;
    match &mut node.value {
        Value::Sequence(items) => items.iter_mut().find_map(|item| find(item, number)),
        Value::Mapping(mapping) => {
            let mut values = mapping.entries.iter_mut().map(|entry| &mut entry.value);
            values.find_map(|value| find(value, number))
        }
        _ => None,
    }
}

/// Any node of a tree.
pub fn any<'n>(node: &'n mut Node, rng: &mut Rng) -> Option<&'n mut Node> {
    let number = rng.usize(..size(node));
    nth(node, number)
}

/// The tree with the entries of each mapping in another order. Of duplicate keys the first counts,
/// so mappings that have some stay as they are.
#[must_use]
pub fn shuffled(node: &Node, rng: &mut Rng) -> Node {
    let value = match &node.value {
        Value::Sequence(items) => {
            Value::Sequence(items.iter().map(|item| shuffled(item, rng)).collect())
        }
        Value::Mapping(mapping) => {
            let mut entries: Vec<Entry> = mapping.entries.clone();
            for entry in &mut entries {
                entry.value = shuffled(&entry.value, rng);
            }
            if !has_duplicates(mapping) {
                rng.shuffle(&mut entries);
            }
            Value::Mapping(Mapping { entries })
        }
        scalar => scalar.clone(),
    };
    Node {
        value,
        span: node.span,
    }
}

fn has_duplicates(mapping: &Mapping) -> bool {
    let mut keys: Vec<&str> = mapping.iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| pair[0] == pair[1])
}
