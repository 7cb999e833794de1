//! Removes requirements that hold in one direction only: `readOnly` properties are required in
//! answers, `writeOnly` ones in requests.

use openapi_document::grammar::{Kind, walk};
use openapi_document::node::Entry;
use openapi_document::view::{Document, Located};
use openapi_document::{Node, Pointer, Value};

use crate::shape::Shape;

/// A copy of the document that does not require properties with a flag. `None` when it requires
/// none of them.
pub(super) fn without(document: &Document, flag: &str) -> Option<Document> {
    if !has_key(&document.root, flag) {
        return None;
    }
    let mut found: Vec<(Pointer, Vec<String>)> = Vec::new();
    let mut pointer = Pointer::root();
    walk(
        &document.root,
        Kind::Document,
        &mut pointer,
        &mut |node, kind, pointer| {
            if kind == Kind::Schema
                && let Some(required) = node.get("required")
            {
                let shape = surrounding(document, node, pointer);
                let flagged = |name: &&str| shape.property(document, name).flag(flag);
                let names: Vec<String> = required
                    .strings()
                    .filter(flagged)
                    .map(str::to_owned)
                    .collect();
                if !names.is_empty() {
                    found.push((pointer.join("required"), names));
                }
            }
            true
        },
    );
    if found.is_empty() {
        return None;
    }
    let mut relaxed = document.clone();
    for (pointer, names) in found {
        if let Some(Value::Sequence(items)) = value_at(&mut relaxed.root, &pointer) {
            items.retain(|item| {
                item.as_str()
                    .is_none_or(|name| !names.iter().any(|item| item == name))
            });
        }
    }
    Some(relaxed)
}

/// Whether an object at or below a node has a key. Avoids the walk for most documents.
fn has_key(node: &Node, key: &str) -> bool {
    let has = |entry: &Entry| entry.key == key || has_key(&entry.value, key);
    node.entries().any(has) || node.items().any(|item| has_key(item, key))
}

/// The shape of a schema together with the `allOf` around it: a member may require a property that
/// another member declares.
fn surrounding<'d>(document: &'d Document, node: &'d Node, pointer: &Pointer) -> Shape<'d> {
    let mut above = pointer.clone();
    above.pop();
    let is_member = above.last().is_some_and(|keyword| keyword == "allOf");
    above.pop();
    let whole = is_member.then(|| document.lookup(&above)).flatten();
    let alone = Located {
        node,
        pointer: pointer.clone(),
    };
    Shape::of(document, Some(&whole.unwrap_or(alone)))
}

fn value_at<'n>(root: &'n mut Node, pointer: &Pointer) -> Option<&'n mut Value> {
    let mut here = root;
    for segment in pointer.segments() {
        here = match &mut here.value {
            Value::Mapping(mapping) => {
                let entry = mapping
                    .entries
                    .iter_mut()
                    .find(|entry| entry.key == *segment)?;
                &mut entry.value
            }
            Value::Sequence(items) => items.get_mut(segment.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(&mut here.value)
}
