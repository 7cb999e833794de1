//! Items of an array beside the documented ones: which of them stand for each other.

use openapi_document::view::Document;
use openapi_document::{Mapping, Node, Value};

use crate::shape::Shape;

/// Items of one kind, as if they were one.
pub(super) struct Group<'d> {
    /// The index of the first of them.
    pub(super) first: usize,
    /// All that any of them has.
    pub(super) whole: Node,
    /// The documented items of this kind.
    pub(super) shown: Vec<&'d Node>,
}

/// The documented item that each item stands for, none of them twice: the one that has most in common
/// with it. Nothing says that items come in the documented order.
pub(super) fn assign<'d>(items: &[Node], shown: &[&'d Node]) -> Vec<&'d Node> {
    let mut pairs: Vec<(usize, usize, usize)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        for (other, example) in shown.iter().enumerate() {
            pairs.push((common(item, example), index, other));
        }
    }
    // Where nothing decides, the order does.
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
    found.into_iter().flatten().map(|own| shown[own]).collect()
}

/// How many values two accounts have in common.
fn common(one: &Node, other: &Node) -> usize {
    match (&one.value, &other.value) {
        (Value::Mapping(_), Value::Mapping(_)) => {
            let both = one
                .entries()
                .filter_map(|own| Some((own, other.get(&own.key)?)));
            both.map(|(own, other)| common(&own.value, other)).sum()
        }
        (Value::Sequence(items), Value::Sequence(others)) => {
            let pairs = items.iter().zip(others);
            pairs.map(|(one, other)| common(one, other)).sum()
        }
        _ => usize::from(one.same_value(other)),
    }
}

/// The items that may be looked at together: they are in the same state, as far as enumerations and
/// flags tell, and so is a documented one.
pub(super) fn groups<'d>(
    document: &'d Document,
    array: &Shape<'d>,
    items: &[Node],
    shown: &[&'d Node],
) -> Vec<Group<'d>> {
    let shape = array.items(document);
    let tells: Vec<&str> = shape
        .property_names()
        .into_iter()
        .filter(|name| {
            let own = shape.property(document, name);
            !own.known_values().is_empty() || own.type_name() == Some("boolean")
        })
        .collect();
    let state = |own: &Node| -> Vec<Option<String>> {
        let values = tells.iter().map(|name| own.get(name).map(Node::to_json));
        values.collect()
    };
    let mut groups: Vec<(Vec<Option<String>>, Group<'d>)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let own = state(item);
        if let Some((_, group)) = groups.iter_mut().find(|(known, _)| *known == own) {
            merge(&mut group.whole, item);
            continue;
        }
        let alike = shown.iter().copied().filter(|other| state(other) == own);
        let group = Group {
            first: index,
            whole: item.clone(),
            shown: alike.collect(),
        };
        groups.push((own, group));
    }
    let known = groups.into_iter().map(|(_, group)| group);
    known.filter(|group| !group.shown.is_empty()).collect()
}

/// Adds what another item has.
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
        match mapping.entries.iter_mut().find(|own| own.key == entry.key) {
            Some(own) => merge(&mut own.value, &entry.value),
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
    fn items_stand_for_those_that_are_most_like_them() {
        let items = [read(r#"{"a":2,"b":2}"#), read(r#"{"a":1}"#), read("{}")];
        let shown = [read(r#"{"a":1}"#), read(r#"{"a":3}"#), read(r#"{"a":2}"#)];
        let shown: Vec<&Node> = shown.iter().collect();
        let found: Vec<String> = assign(&items, &shown)
            .iter()
            .map(|own| own.to_json())
            .collect();
        assert_eq!(found, [r#"{"a":2}"#, r#"{"a":1}"#, r#"{"a":3}"#]);
    }

    #[test]
    fn items_of_one_state_are_looked_at_together() {
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
