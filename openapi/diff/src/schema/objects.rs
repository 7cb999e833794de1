//! Objects: compares properties, additional properties and `not`.

use std::collections::HashSet;
use std::rc::Rc;

use super::digest::DEPTH;
use super::fact::{Step, Words};
use super::flat::{Flat, Property};
use super::pair::Comparing;
use super::types::Types;
use crate::side::Mark;
use openapi_document::node::Node;

/// Compares the schemas of objects.
pub(super) fn compare<'d>(pair: &mut Comparing<'_, 'd>) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    compare_nots(pair, &base, &revision);
    if !base.types.and(revision.types).has(Types::OBJECT) {
        return;
    }
    for (name, old) in &base.properties {
        let new = revision.properties.get(name);
        compare_property(pair, name, Some(old), new);
    }
    for (name, new) in &revision.properties {
        if !base.properties.contains_key(name) {
            compare_property(pair, name, None, Some(new));
        }
    }
    let shown = |flat: &Flat<'d>| flat.rest.first().copied();
    let nodes = (shown(&base), shown(&revision));
    match (base.closed(), revision.closed()) {
        (None, Some(at)) => {
            let phrase = "must not have unlisted properties";
            let word = Words::One("additional-properties-closed");
            pair.fact(word, (nodes.0, Some(at)), "", phrase);
        }
        (Some(at), None) => {
            let phrase = "may have unlisted properties";
            let word = Words::One("additional-properties-opened");
            pair.fact(word, (Some(at), nodes.1), "", phrase);
        }
        (None, None) if !(base.rest.is_empty() && revision.rest.is_empty()) => {
            pair.edge(Step::Rest, &base.rest, &revision.rest);
        }
        _ => {}
    }
}

/// Compares one property. A side that does not list it uses its schema for additional properties,
/// if it has one.
fn compare_property<'d>(
    pair: &mut Comparing<'_, 'd>,
    name: &'d str,
    old: Option<&Property<'d>>,
    new: Option<&Property<'d>>,
) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    let implied = |flat: &Flat<'d>| {
        let described = flat.closed().is_none() && !flat.rest.is_empty();
        let node = *flat.rest.first()?;
        described.then(|| Property {
            schemas: flat.rest.clone(),
            name_at: node.span,
            node,
            required: None,
        })
    };
    let old = old.cloned().or_else(|| implied(&base));
    let new = new.cloned().or_else(|| implied(&revision));
    let schemas = |property: &Option<Property<'d>>| {
        property
            .as_ref()
            .map(|property| property.schemas.clone())
            .unwrap_or_default()
    };
    let both = old.is_some() && new.is_some();
    let closed = (old.is_none() && base.closed().is_some())
        || (new.is_none() && revision.closed().is_some());
    let (from, to) = (schemas(&old), schemas(&new));
    let never = |nodes: &[&Node]| nodes.iter().any(|node| node.as_bool() == Some(false));
    if !both && (never(&from) || never(&to)) {
        return;
    }
    let step = Step::Property {
        name,
        base: old,
        revision: new,
        base_owner: owner(&base),
        revision_owner: owner(&revision),
        lists: (list(&base), list(&revision)),
        closed,
    };
    if both {
        pair.edge(step, &from, &to);
    } else {
        pair.found.edges.push(super::fact::Edge {
            step,
            sites: None,
            to: None,
        });
    }
}

/// The place of the properties, or where they would be.
fn owner<'d>(flat: &Flat<'d>) -> Mark<'d> {
    Mark::of(flat.at.get("properties").unwrap_or(flat.at))
}

/// The `required` list.
fn list<'d>(flat: &Flat<'d>) -> Option<&'d Node> {
    flat.at.get("required")
}

/// Compares the schemas under `not` by meaning.
fn compare_nots<'d>(pair: &mut Comparing<'_, 'd>, base: &Flat<'d>, revision: &Flat<'d>) {
    let pairs = &mut *pair.pairs;
    let old = base.nots.iter().map(|node| {
        let id = pairs.base.intern(&[*node], base.at);
        (pairs.base.digest(id, DEPTH), *node)
    });
    let mut old: Vec<(u64, &'d Node)> = old.collect();
    old.sort_unstable_by_key(|(digest, _)| *digest);
    old.dedup_by_key(|(digest, _)| *digest);
    let mut seen = HashSet::new();
    let mut new = Vec::new();
    for node in &revision.nots {
        let id = pairs.revision.intern(&[*node], revision.at);
        let digest = pairs.revision.digest(id, DEPTH);
        if !seen.insert(digest) {
            continue;
        }
        match old.iter().position(|(other, _)| *other == digest) {
            Some(place) => drop(old.swap_remove(place)),
            None => new.push(*node),
        }
    }
    let mut old = old.into_iter().map(|(_, node)| node);
    let mut new = new.into_iter();
    loop {
        let (word, nodes, phrase) = match (old.next(), new.next()) {
            (None, None) => return,
            (Some(from), Some(to)) => {
                let (word, phrase) = excluded(pair, from, to);
                (word, (Some(from), Some(to)), phrase)
            }
            (None, Some(to)) => (
                "not-added",
                (None, Some(to)),
                "must not match a `not` schema",
            ),
            (Some(from), None) => (
                "not-removed",
                (Some(from), None),
                "may match a schema that `not` excluded",
            ),
        };
        pair.fact(Words::One(word), nodes, "", phrase);
    }
}

/// The change of a `not` schema, which listed values may make more precise.
fn excluded<'d>(
    pair: &mut Comparing<'_, 'd>,
    from: &'d Node,
    to: &'d Node,
) -> (&'static str, &'static str) {
    let values = |flat: &Flat<'d>| {
        let list = flat.values.as_ref();
        list.map(|values| values.list.keys().cloned().collect::<HashSet<String>>())
    };
    let ids = (
        pair.pairs.base.intern(&[from], from),
        pair.pairs.revision.intern(&[to], to),
    );
    let old = values(&pair.pairs.base.flat(ids.0));
    let new = values(&pair.pairs.revision.flat(ids.1));
    match (old, new) {
        (Some(old), Some(new)) if old.is_subset(&new) => {
            ("not-added", "must not have further listed values")
        }
        (Some(old), Some(new)) if new.is_subset(&old) => {
            ("not-removed", "may have listed values that were excluded")
        }
        _ => (
            "not-changed",
            "must not match another `not` schema than before",
        ),
    }
}
