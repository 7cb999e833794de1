//! Lifted names: names the definitions of other files in the bundle. The name is the last segment
//! of the pointer, or the file name. If several have one name, path segments are put before it
//! until the names differ: `orders-item`, `payments-item`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::node::{Node, Value};
use crate::pointer::Pointer;

/// Marks a provisional name; no document contains it.
const MARK: char = '\u{0}';

/// The section of `components`, the file and the pointer of a definition.
pub(crate) type Definition<'d> = (&'static str, &'d Path, &'d Pointer);

/// The name of a definition until all definitions are known.
pub(crate) fn provisional(index: usize) -> String {
    format!("{MARK}{index}")
}

/// Chooses the names. `taken` says whether the document already has a name in a section.
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

/// Replaces the provisional names in references.
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

/// The path of a definition: folders, file name, and the last segment of the pointer.
fn way((_, path, pointer): &Definition<'_>) -> Vec<String> {
    let plain = path.with_extension("");
    let mut way: Vec<String> = plain
        .iter()
        .map(|part| part.to_string_lossy().into_owned())
        .collect();
    way.extend(pointer.last().map(std::borrow::Cow::into_owned));
    way
}

/// Joins the last `length` parts of a path to a name.
fn spelled(way: &[String], length: usize) -> String {
    let last = &way[way.len().saturating_sub(length)..];
    last.join("-")
}

/// The number of parts that distinguish the members of a group; at least two.
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
