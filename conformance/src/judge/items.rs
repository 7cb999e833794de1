//! Pairs the items of an array with the documented items.

use openapi_document::view::Document;
use openapi_document::{Mapping, Node, Value};

use crate::shape::Shape;

/// Items of one kind, merged into one.
pub(super) struct Group<'d> {
    /// The index of the first item.
    pub(super) first: usize,
    /// The union of the items.
    pub(super) whole: Node,
    /// The documented items of this kind.
    pub(super) shown: Vec<&'d Node>,
}

/// Assigns a documented item to each item: the one with the most common values, each at most once.
/// The order of items need not be the documented one.
pub(super) fn assign<'d>(items: &[Node], shown: &[&'d Node]) -> Vec<&'d Node> {
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        for (other, example) in shown.iter().enumerate() {
            pairs.push((common(item, example), index, other));
        }
    }
    // The order decides between equal candidates.
    pairs.sort_by_key(|(common, index, other)| {
        (usize::MAX - common, index.abs_diff(*other), *index)
    });
    let mut found: Vec<Option<usize>> = vec![None; items.len()];
    let mut taken = vec![false; shown.len()];
    for (_, index, other) in pairs {
        if found[index].is_none() && !taken[other] {
            found[index] = Some(other);
            taken[other] = true;
        }
    }
    found
        .into_iter()
        .flatten()
        .map(|found| shown[found])
        .collect()
}

/// The number of values that two nodes have in common.
fn common(one: &Node, other: &Node) -> usize {
    match (&one.value, &other.value) {
        (Value::Mapping(_), Value::Mapping(_)) => {
            let both = one
                .entries()
                .filter_map(|entry| Some((entry, other.get(&entry.key)?)));
            both.map(|(entry, other)| common(&entry.value, other)).sum()
        }
        (Value::Sequence(items), Value::Sequence(others)) => {
            let pairs = items.iter().zip(others);
            pairs.map(|(one, other)| common(one, other)).sum()
        }
        _ => usize::from(one.same_value(other)),
    }
}

/// Groups the items that are in the same state, as far as enumerations and booleans show, with the
/// documented items in that state.
pub(super) fn groups<'d>(
    document: &'d Document,
    array: &Shape<'d>,
    items: &[Node],
    shown: &[&'d Node],
) -> Vec<Group<'d>> {
    let shape = array.items(document);
    let state_names: Vec<&str> = shape
        .property_names()
        .into_iter()
        .filter(|name| {
            let property = shape.property(document, name);
            !property.known_values().is_empty() || property.type_name() == Some("boolean")
        })
        .collect();
    let state = |node: &Node| -> Vec<Option<String>> {
        let values = state_names
            .iter()
            .map(|name| node.get(name).map(Node::to_json));
        values.collect()
    };
    let mut groups: Vec<(Vec<Option<String>>, Group<'d>)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let state_of_item = state(item);
        if let Some((_, group)) = groups.iter_mut().find(|(known, _)| *known == state_of_item) {
            merge(&mut group.whole, item);
            continue;
        }
        let alike = shown
            .iter()
            .copied()
            .filter(|other| state(other) == state_of_item);
        let group = Group {
            first: index,
            whole: item.clone(),
            shown: alike.collect(),
        };
        groups.push((state_of_item, group));
    }
    let known = groups.into_iter().map(|(_, group)| group);
    known.filter(|group| !group.shown.is_empty()).collect()
}

/// Adds the values of another item.
fn merge(whole: &mut Node, item: &Node) {
    if whole.is_null() {
        *whole = item.clone();
        return;
    }
    let mapping: Option<&mut Mapping> = match &mut whole.value {
        Value::Mapping(mapping) => Some(mapping),
        _ => None,
    };
    let Some(mapping) = mapping else { return };
    for entry in item.entries() {
        match mapping
            .entries
            .iter_mut()
            .find(|item| item.key == entry.key)
        {
            Some(known) => merge(&mut known.value, &entry.value),
            None => mapping.entries.push(entry.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Node {
        openapi_document::json::read_text(text).unwrap()
    }

    #[test]
    fn items_get_the_most_similar_documented_item() {
        let items = [read(r#"{"a":2,"b":2}"#), read(r#"{"a":1}"#), read("{}")];
        let shown = [read(r#"{"a":1}"#), read(r#"{"a":3}"#), read(r#"{"a":2}"#)];
        let shown: Vec<&Node> = shown.iter().collect();
        let found: Vec<String> = assign(&items, &shown)
            .iter()
            .map(|item| item.to_json())
            .collect();
        assert_eq!(found, [r#"{"a":2}"#, r#"{"a":1}"#, r#"{"a":3}"#]);
    }

    #[test]
    fn items_of_one_state_form_a_group() {
        let text = r#"{"openapi":"3.0.4","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":{"L":
            {"type":"array","items":{"type":"object","properties":{
                "state":{"type":"string","enum":["open","done"]},"a":{},"b":{}}}}}}}"#;
        let document = openapi_document::loader::load_text("t.json", text).unwrap();
        let (_, list) = document.components("schemas").remove(0);
        let shape = Shape::of(&document, Some(&list));
        let items = [
            read(r#"{"state":"open","a":1}"#),
            read(r#"{"state":"done"}"#),
            read(r#"{"state":"done","b":{"c":1}}"#),
        ];
        let shown = read(r#"{"state":"done","a":1,"b":{"c":2}}"#);
        let found = groups(&document, &shape, &items, &[&shown]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].first, 1);
        assert_eq!(found[0].whole.to_json(), r#"{"state":"done","b":{"c":1}}"#);
    }
}
