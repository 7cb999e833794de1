//! Untouched: finds parts of two documents that are written identically, including everything they
//! refer to.

use std::collections::{BTreeMap, HashMap, HashSet};

use openapi_document::node::{Node, Value};
use openapi_document::view::Document;

/// The components that are written identically in both documents, including all that they refer to.
#[derive(Debug)]
pub(crate) struct Untouched {
    references: HashSet<String>,
}

impl Untouched {
    pub(crate) fn new(base: &Document, revision: &Document) -> Self {
        let (old, new) = (components(base), components(revision));
        let mut references = HashSet::new();
        let mut users: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut touched: Vec<&str> = Vec::new();
        for (name, node) in &old {
            references.insert(name.clone());
            if !new.get(name).is_some_and(|other| alike(node, other)) {
                touched.push(name);
            }
            visit(node, &mut |reference| {
                if old.contains_key(reference) {
                    users.entry(reference).or_default().push(name);
                } else {
                    touched.push(name);
                }
            });
        }
        while let Some(name) = touched.pop() {
            if references.remove(name) {
                touched.extend(users.get(name).into_iter().flatten());
            }
        }
        Self { references }
    }

    /// Whether two parts are written identically, including everything they refer to.
    pub(crate) fn holds(&self, base: &Node, revision: &Node) -> bool {
        let mut all = true;
        alike(base, revision) && {
            visit(base, &mut |reference| {
                all &= self.references.contains(reference);
            });
            all
        }
    }
}

/// The components by reference, without duplicates.
fn components(document: &Document) -> BTreeMap<String, &Node> {
    let mut all = BTreeMap::new();
    let sections = document
        .root
        .get("components")
        .into_iter()
        .flat_map(Node::entries);
    for section in sections {
        for entry in section.value.entries() {
            let name = openapi_document::pointer::escape(&entry.key);
            all.entry(format!("#/components/{}/{name}", section.key))
                .or_insert(&entry.value);
        }
    }
    all
}

/// Calls `call` for each reference in a node.
fn visit<'n>(node: &'n Node, call: &mut dyn FnMut(&'n str)) {
    match &node.value {
        Value::Mapping(mapping) => {
            for entry in &mapping.entries {
                match entry.value.as_str() {
                    Some(reference) if entry.key == "$ref" => call(reference),
                    _ => visit(&entry.value, call),
                }
            }
        }
        Value::Sequence(items) => items.iter().for_each(|item| visit(item, call)),
        _ => {}
    }
}

/// Whether two nodes have the same tokens in the same order.
fn alike(a: &Node, b: &Node) -> bool {
    match (&a.value, &b.value) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Number(a), Value::Number(b)) | (Value::String(a), Value::String(b)) => a == b,
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        (Value::Mapping(a), Value::Mapping(b)) => {
            a.entries.len() == b.entries.len()
                && a.entries
                    .iter()
                    .zip(&b.entries)
                    .all(|(a, b)| a.key == b.key && alike(&a.value, &b.value))
        }
        _ => false,
    }
}
