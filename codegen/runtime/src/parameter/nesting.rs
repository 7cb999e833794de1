//! Reads pairs with brackets in their names as one tree: the style `deepObject`, and such forms.

use super::super::percent;
use super::{StyleError, Tree};

/// Splits `a=1&b=2` without decoding anything.
pub(in super::super) fn split_pairs(text: &str, delimiter: char) -> Vec<(&str, &str)> {
    let pairs = text
        .split(delimiter)
        .map(str::trim)
        .filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect()
}

/// The parameter `name` in the style `deepObject`.
pub(in super::super) fn parse_deep(
    name: &str,
    raw: &[(&str, &str)],
) -> Result<Option<Tree>, StyleError> {
    tree(raw)
        .map(|tree| tree.get(name).cloned())
        .ok_or(StyleError)
}

/// All pairs as one tree; brackets are nesting.
pub(in super::super) fn tree(raw: &[(&str, &str)]) -> Option<Tree> {
    let mut root = Tree::empty();
    for (name, value) in raw {
        let name = percent::decode_form(name)?;
        insert(&mut root, &keys(&name), percent::decode_form(value)?);
    }
    Some(listed(root))
}

/// `a[b][0]` → `a`, `b`, `0`. Brackets that do not match are part of the name.
fn keys(name: &str) -> Vec<&str> {
    let Some((first, rest)) = name.split_once('[') else {
        return vec![name];
    };
    match rest.strip_suffix(']') {
        Some(inner) if !first.is_empty() => {
            std::iter::once(first).chain(inner.split("][")).collect()
        }
        _ => vec![name],
    }
}

/// Nesting deeper than this is ignored.
const DEEPEST: usize = 32;

fn insert(tree: &mut Tree, keys: &[&str], value: String) {
    let Tree::Map(entries) = tree else {
        return;
    };
    let Some((key, rest)) = keys.split_first().filter(|_| keys.len() <= DEEPEST) else {
        return;
    };
    let position = entries.iter().position(|(name, _)| name == key);
    match (position, rest) {
        (None, []) => entries.push(((*key).to_owned(), Tree::Text(value))),
        (Some(index), [] | [""]) => repeat(&mut entries[index].1, Tree::Text(value)),
        (None, [""]) => entries.push(((*key).to_owned(), Tree::List(vec![Tree::Text(value)]))),
        (Some(index), _) => insert(&mut entries[index].1, rest, value),
        (None, _) => {
            let mut child = Tree::empty();
            insert(&mut child, rest, value);
            entries.push(((*key).to_owned(), child));
        }
    }
}

fn repeat(existing: &mut Tree, item: Tree) {
    match existing {
        Tree::List(items) => items.push(item),
        other => {
            let first = std::mem::replace(other, Tree::empty());
            *other = Tree::List(vec![first, item]);
        }
    }
}

/// Objects whose keys count from zero are lists.
fn listed(tree: Tree) -> Tree {
    match tree {
        Tree::Map(entries) => {
            let counted = !entries.is_empty()
                && entries
                    .iter()
                    .enumerate()
                    .all(|(index, (key, _))| *key == index.to_string());
            if counted {
                Tree::List(
                    entries
                        .into_iter()
                        .map(|(_, value)| listed(value))
                        .collect(),
                )
            } else {
                let entries = entries.into_iter().map(|(key, value)| (key, listed(value)));
                Tree::Map(entries.collect())
            }
        }
        Tree::List(items) => Tree::List(items.into_iter().map(listed).collect()),
        text @ Tree::Text(_) => text,
    }
}
