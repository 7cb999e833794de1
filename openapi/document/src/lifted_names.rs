//! What the definitions of other files are called in the bundle: by the last segment of their pointer, or
//! their file. Of several with one name, each has before it what tells it apart: `orders-item`, `payments-item`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::node::{Node, Value};
use crate::pointer::Pointer;

/// Marks a name that is still to be found; no name of a document has it.
const MARK: char = '\u{0}';

/// A definition and the section of `components` that it is lifted into.
pub(crate) type Definition<'d> = (&'static str, &'d Path, &'d Pointer);

/// The name by which a definition goes until all of them are known.
pub(crate) fn provisional(index: usize) -> String {
    format!("{MARK}{index}")
}

/// The names of definitions, by which `taken` says that the document has one already.
pub(crate) fn assign(
    definitions: &[Definition<'_>],
    taken: impl Fn(&str, &str) -> bool,
) -> Vec<String> {
    let ways: Vec<Vec<String>> = definitions.iter().map(way).collect();
    let mut groups: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (index, (section, ..)) in definitions.iter().enumerate() {
        groups
            .entry((section, spelled(&ways[index], 1)))
            .or_default()
            .push(index);
    }
    let mut names = vec![String::new(); definitions.len()];
    let mut used: BTreeSet<(&str, String)> = BTreeSet::new();
    for ((section, base), mut group) in groups {
        group.sort_by(|a, b| ways[*a].cmp(&ways[*b]));
        let alone = group.len() == 1 && !taken(section, &base);
        let length = if alone { 1 } else { telling(&ways, &group) };
        for index in group {
            let stem = spelled(&ways[index], length);
            let mut name = stem.clone();
            let mut number = 2;
            while taken(section, &name) || !used.insert((section, name.clone())) {
                name = format!("{stem}-{number}");
                number += 1;
            }
            names[index] = name;
        }
    }
    names
}

/// Puts the names in place of the provisional ones.
pub(crate) fn put(names: &[String], node: &mut Node) {
    match &mut node.value {
        Value::String(text) => {
            if let Some((before, index)) = text.split_once(MARK)
                && let Some(name) = index.parse().ok().and_then(|index: usize| names.get(index))
            {
                *text = format!("{before}{}", crate::pointer::escape(name));
            }
        }
        Value::Sequence(items) => items.iter_mut().for_each(|item| put(names, item)),
        Value::Mapping(map) => {
            let values = map.entries.iter_mut().map(|entry| &mut entry.value);
            values.for_each(|value| put(names, value));
        }
        _ => {}
    }
}

/// Folders, file and last segment of the pointer.
fn way((_, path, pointer): &Definition<'_>) -> Vec<String> {
    let plain = path.with_extension("");
    let mut way: Vec<String> = plain
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    way.extend(pointer.last().map(std::borrow::Cow::into_owned));
    way
}

/// The last parts of a way as a name.
fn spelled(way: &[String], length: usize) -> String {
    let last = &way[way.len().saturating_sub(length)..];
    last.join("-")
}

/// How many parts tell the members of a group apart; at least two.
fn telling(ways: &[Vec<String>], group: &[usize]) -> usize {
    let longest = group.iter().map(|index| ways[*index].len()).max();
    let mut lengths = 2..longest.unwrap_or(2).max(2);
    let apart = |length: &usize| {
        let names: BTreeSet<String> = group
            .iter()
            .map(|index| spelled(&ways[*index], *length))
            .collect();
        names.len() == group.len()
    };
    lengths.find(apart).unwrap_or(longest.unwrap_or(2).max(2))
}
