//! Bodies of the media type `application/x-www-form-urlencoded`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::json::Unreadable;
use super::parameter::{self, Parameter, Place, StyleError, Tree};
use super::percent;

/// The media type of these bodies.
pub const MEDIA_TYPE: &str = "application/x-www-form-urlencoded";

/// Writes a form. `table` has the fields with an encoding of their own; of the others, lists repeat
/// their name and objects use brackets.
pub fn write<T: Serialize>(value: &T, table: &[Parameter]) -> Result<String, serde_json::Error> {
    let Some(Tree::Map(fields)) = Tree::of(value)? else {
        return Ok(String::new());
    };
    let mut pairs = Vec::new();
    for (name, tree) in &fields {
        match table.iter().find(|parameter| parameter.field == name) {
            Some(parameter) => pairs.extend(parameter::pairs(parameter, tree)),
            None => plain(&percent::encode(name), tree, &mut pairs),
        }
    }
    Ok(pairs.join("&").replace("%20", "+"))
}

fn plain(name: &str, tree: &Tree, pairs: &mut Vec<String>) {
    match tree {
        Tree::Text(text) => pairs.push(format!("{name}={}", percent::encode(text))),
        Tree::List(items) => {
            for (index, item) in items.iter().enumerate() {
                match item {
                    Tree::Text(_) => plain(name, item, pairs),
                    _ => plain(&format!("{name}%5B{index}%5D"), item, pairs),
                }
            }
        }
        Tree::Map(entries) => {
            for (key, value) in entries {
                plain(
                    &format!("{name}%5B{}%5D", percent::encode(key)),
                    value,
                    pairs,
                );
            }
        }
    }
}

/// Reads a form written as [`write()`] does, or as others commonly do.
pub fn read<T: DeserializeOwned>(text: &[u8], table: &[Parameter]) -> Result<T, Unreadable> {
    let text =
        std::str::from_utf8(text).map_err(|_| Unreadable::malformed("the form is not UTF-8"))?;
    let raw = split_pairs(text, '&');
    let mut fields = Vec::new();
    for parameter in table
        .iter()
        .filter(|parameter| parameter.place == Place::Query)
    {
        let broken =
            |_| Unreadable::malformed(format_args!("field `{}` is broken", parameter.name));
        let tree = parameter::parse_pairs(parameter, &raw, table).map_err(broken)?;
        fields.extend(tree.map(|tree| (parameter.field.to_owned(), tree)));
    }
    let Tree::Map(others) =
        tree(&raw).ok_or_else(|| Unreadable::malformed("an escape is broken"))?
    else {
        return parameter::read_tree(Tree::Map(fields));
    };
    let declared = |name: &str| table.iter().any(|parameter| parameter.name == name);
    fields.extend(others.into_iter().filter(|(name, _)| !declared(name)));
    parameter::read_tree(Tree::Map(fields))
}

/// Splits `a=1&b=2` without decoding anything.
pub(super) fn split_pairs(text: &str, delimiter: char) -> Vec<(&str, &str)> {
    let pairs = text
        .split(delimiter)
        .map(str::trim)
        .filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect()
}

/// The parameter `name` in the style `deepObject`.
pub(super) fn parse_deep(name: &str, raw: &[(&str, &str)]) -> Result<Option<Tree>, StyleError> {
    tree(raw)
        .map(|tree| tree.get(name).cloned())
        .ok_or(StyleError)
}

/// All pairs as one tree, with brackets taken as nesting.
fn tree(raw: &[(&str, &str)]) -> Option<Tree> {
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
