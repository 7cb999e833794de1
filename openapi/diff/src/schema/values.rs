//! Values: compares closed and open enumerations.

use std::rc::Rc;

use super::fact::Words;
use super::flat::{Flat, Values};
use super::pair::Comparing;
use super::settle::accepts;
use super::types::Types;

/// Compares the values of enums and of open enums.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    match (&base.values, &revision.values) {
        (Some(old), Some(new)) => compare_listed(pair, old, new),
        (None, Some(new)) => {
            let phrase = format!("allows only the values {}", shown(new));
            let nodes = (base.known.as_ref().map(|known| known.at), Some(new.at));
            pair.fact(Words::One("became-enum"), nodes, shown(new), phrase);
            strangers(pair, &base, new, true);
        }
        (Some(old), None) => {
            let phrase = format!("allows other values than {}", shown(old));
            let nodes = (Some(old.at), revision.known.as_ref().map(|known| known.at));
            pair.fact(Words::One("enum-opened"), nodes, shown(old), phrase);
            strangers(pair, &revision, old, false);
        }
        (None, None) => compare_known(pair, &base, &revision),
    }
}

fn compare_listed<'d>(pair: &mut Comparing<'_, 'd>, old: &Values<'d>, new: &Values<'d>) {
    let common = pair.base.types.and(pair.revision.types);
    for (value, node) in &new.list {
        if !old.list.contains_key(value) && counts(node, common) {
            let phrase = format!("allows the new value {value}");
            let nodes = (Some(old.at), Some(*node));
            pair.fact(
                Words::One("enum-value-added"),
                nodes,
                value.as_str(),
                phrase,
            );
        }
    }
    for (value, node) in &old.list {
        if !new.list.contains_key(value) && counts(node, common) {
            let phrase = format!("no longer allows the value {value}");
            let nodes = (Some(*node), Some(new.at));
            pair.fact(
                Words::One("enum-value-removed"),
                nodes,
                value.as_str(),
                phrase,
            );
        }
    }
}

/// Whether the rules on types do not already report a value.
fn counts(node: &openapi_document::node::Node, common: Types) -> bool {
    common.without(Types::NULL).covers(Types::of(node))
}

/// Records listed values that the other side, which lists none, excludes otherwise.
fn strangers<'d>(pair: &mut Comparing<'_, 'd>, other: &Flat<'d>, values: &Values<'d>, new: bool) {
    let common = pair.base.types.and(pair.revision.types);
    for (value, node) in &values.list {
        if counts(node, common) && !accepts(other, node) {
            if new {
                let phrase = format!("allows the new value {value}");
                pair.fact(
                    Words::One("enum-value-added"),
                    (None, Some(*node)),
                    value.as_str(),
                    phrase,
                );
            } else {
                let phrase = format!("no longer allows the value {value}");
                pair.fact(
                    Words::One("enum-value-removed"),
                    (Some(*node), None),
                    value.as_str(),
                    phrase,
                );
            }
        }
    }
}

fn compare_known<'d>(pair: &mut Comparing<'_, 'd>, base: &Flat<'d>, revision: &Flat<'d>) {
    let (old, new) = match (&base.known, &revision.known) {
        (Some(old), Some(new)) => (Some(old), Some(new)),
        (Some(old), None) => (Some(old), None),
        _ => return,
    };
    let has = |values: Option<&Values<'d>>, value: &str| {
        values.is_some_and(|values| values.list.contains_key(value))
    };
    for (value, node) in new.iter().flat_map(|new| &new.list) {
        if !has(old, value) {
            let phrase = format!("has the new known value {value}");
            let nodes = (old.map(|old| old.at), Some(*node));
            let word = Words::One("x-extensible-enum-value-added");
            pair.fact(word, nodes, value.as_str(), phrase);
        }
    }
    for (value, node) in old.iter().flat_map(|old| &old.list) {
        if !has(new, value) {
            let phrase = format!("no longer has the known value {value}");
            let nodes = (Some(*node), new.map(|new| new.at));
            let word = Words::One("x-extensible-enum-value-removed");
            pair.fact(word, nodes, value.as_str(), phrase);
        }
    }
}

/// The values, or the first ones and the number of the others.
fn shown(values: &Values<'_>) -> String {
    const SHOWN: usize = 5;
    let all: Vec<_> = values.list.keys().take(SHOWN).map(String::as_str).collect();
    match values.list.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{} and {more} more", all.join(", ")),
        _ => all.join(", "),
    }
}
