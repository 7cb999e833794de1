//! Makes a document smaller while something stays wrong with it.

use openapi_document::node::{Node, Value};

use crate::tree;

/// The smallest document found, of those that are as wrong as the one given, in so many tries.
pub fn shrink(document: &Node, tries: usize, is_wrong: &mut dyn FnMut(&Node) -> bool) -> Node {
    let mut best = document.clone();
    let mut left = tries;
    loop {
        let before = tree::size(&best);
        // Large branches first: what is gone needs no more tries.
        let mut number = 1;
        while number < tree::size(&best) && left > 0 {
            let smaller = changes(&best, number).into_iter().find(|smaller| {
                left = left.saturating_sub(1);
                left > 0 && is_wrong(smaller)
            });
            match smaller {
                Some(smaller) => best = smaller,
                None => number += 1,
            }
        }
        if left == 0 || tree::size(&best) >= before {
            return best;
        }
    }
}

/// The document without a node, or with something smaller in its place.
fn changes(document: &Node, number: usize) -> Vec<Node> {
    let mut changes = Vec::new();
    let mut without = document.clone();
    if remove(&mut without, &mut { number }) {
        changes.push(without);
    }
    let mut probe = document.clone();
    let Some(node) = tree::nth(&mut probe, number) else {
        return changes;
    };
    let children: Vec<Node> = match &node.value {
        Value::Sequence(items) => items.clone(),
        Value::Mapping(mapping) => {
            let values = mapping.entries.iter().map(|entry| &entry.value);
            values.cloned().collect()
        }
        Value::String(text) if text.len() > 40 => vec![Node {
            value: Value::String(String::new()),
            span: node.span,
        }],
        _ => Vec::new(),
    };
    for child in children.into_iter().take(4) {
        let mut lifted = document.clone();
        if let Some(node) = tree::nth(&mut lifted, number) {
            *node = child;
            changes.push(lifted);
        }
    }
    changes
}

/// Removes the node of a number, as [`tree::nth`] counts.
fn remove(node: &mut Node, number: &mut usize) -> bool {
    match &mut node.value {
        Value::Sequence(items) => {
            for at in 0..items.len() {
                *number -= 1;
                if *number == 0 {
                    items.remove(at);
                    return true;
                }
                if remove(&mut items[at], number) {
                    return true;
                }
            }
        }
        Value::Mapping(mapping) => {
            for at in 0..mapping.entries.len() {
                *number -= 1;
                if *number == 0 {
                    mapping.entries.remove(at);
                    return true;
                }
                if remove(&mut mapping.entries[at].value, number) {
                    return true;
                }
            }
        }
        _ => {}
    }
    false
}
