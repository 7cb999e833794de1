//! Side: one of the two documents, which can find the pointer of a node.

use std::cell::OnceCell;
use std::collections::HashMap;

use super::change::Spot;
use openapi_document::node::{Node, Value};
use openapi_document::pointer::Pointer;
use openapi_document::source::Span;
use openapi_document::view::Document;

/// One of the two documents.
#[derive(Debug)]
pub(super) struct Side<'d> {
    pub(super) document: &'d Document,
    parents: OnceCell<HashMap<usize, (usize, Step<'d>)>>,
}

/// The step from a parent to a node.
#[derive(Debug, Clone, Copy)]
enum Step<'d> {
    Key(&'d str),
    Item(usize),
}

/// A node with the source span to show, such as the name of a property.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark<'d> {
    pub(super) node: &'d Node,
    pub(super) span: Span,
}

impl<'d> Mark<'d> {
    pub(super) fn of(node: &'d Node) -> Self {
        Self {
            node,
            span: node.span,
        }
    }
}

/// The identity of a node in its document: its address.
pub(super) fn identity(node: &Node) -> usize {
    std::ptr::from_ref(node).addr()
}

impl<'d> Side<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self {
            document,
            parents: OnceCell::new(),
        }
    }

    /// The place of a mark: pointer, span and label.
    pub(super) fn spot(&self, mark: Mark<'d>, label: &str) -> Spot {
        Spot {
            pointer: self.pointer(mark.node),
            span: mark.span,
            in_behaviour: false,
            label: label.to_owned(),
        }
    }

    fn pointer(&self, node: &Node) -> Pointer {
        let parents = self.parents.get_or_init(|| parents(&self.document.root));
        let mut steps = Vec::new();
        let mut here = identity(node);
        while let Some((parent, step)) = parents.get(&here) {
            steps.push(match step {
                Step::Key(key) => (*key).to_owned(),
                Step::Item(index) => index.to_string(),
            });
            here = *parent;
        }
        steps.into_iter().rev().collect()
    }
}

fn parents(root: &Node) -> HashMap<usize, (usize, Step<'_>)> {
    let mut parents = HashMap::new();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let parent = identity(node);
        let mut enter = |child, step| {
            parents.insert(identity(child), (parent, step));
            open.push(child);
        };
        match &node.value {
            Value::Mapping(mapping) => mapping.entries.iter().for_each(|entry| {
                enter(&entry.value, Step::Key(&entry.key));
            }),
            Value::Sequence(items) => items.iter().enumerate().for_each(|(index, item)| {
                enter(item, Step::Item(index));
            }),
            _ => {}
        }
    }
    parents
}
