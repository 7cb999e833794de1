//! Discriminator: compares the property that distinguishes alternatives, and its values.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::digest::DEPTH;
use super::fact::Words;
use super::flat::Flat;
use super::pair::Comparing;
use super::schemas::Schemas;
use openapi_document::node::Node;

/// Stands for the values that no mapping names.
const OTHERS: &str = "any other";

/// The alternative that a discriminator value selects.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'d> {
    /// The node that names it.
    pub(super) at: &'d Node,
    /// The schema object.
    pub(super) target: &'d Node,
}

/// Compares discriminators and their values.
pub(super) fn compare(pair: &mut Comparing<'_, '_>) {
    let (base, revision) = (Rc::clone(&pair.base), Rc::clone(&pair.revision));
    let nodes = (base.discriminator, revision.discriminator);
    let (Some(old), Some(new)) = nodes else {
        let (word, phrase) = match nodes {
            (None, Some(_)) => (
                "discriminator-added",
                "got a discriminator for its alternatives",
            ),
            (Some(_), None) => (
                "discriminator-removed",
                "lost the discriminator of its alternatives",
            ),
            _ => return,
        };
        pair.fact(Words::One(word), nodes, "", phrase);
        return;
    };
    let names = (old.get("propertyName"), new.get("propertyName"));
    let (from, to) = (
        names.0.and_then(Node::as_str),
        names.1.and_then(Node::as_str),
    );
    if from != to {
        let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
        let phrase = format!("has the discriminator `{to}` instead of `{from}`");
        let word = Words::One("discriminator-property-name-changed");
        pair.fact(word, names, format!("{from} → {to}"), phrase);
    }
    compare_values(pair, &base, &revision);
}

fn compare_values<'d>(pair: &mut Comparing<'_, 'd>, base: &Flat<'d>, revision: &Flat<'d>) {
    let old = with_default(&mut pair.pairs.base, base);
    let new = with_default(&mut pair.pairs.revision, revision);
    let among = |list: &[&Node], node: &Node| list.iter().any(|other| std::ptr::eq(*other, node));
    for (value, to) in &new {
        let nodes = (base.discriminator, Some(to.at));
        match old.get(value) {
            Some(from) if !same(pair, from, to) => {
                let phrase =
                    format!("has another alternative for the discriminator value `{value}`");
                let word = Words::One("discriminator-mapping-changed");
                pair.fact(word, (Some(from.at), Some(to.at)), value.as_str(), phrase);
            }
            None if !among(&pair.added, to.target) => {
                let phrase = format!("has the new discriminator value `{value}`");
                pair.fact(
                    Words::One("discriminator-mapping-added"),
                    nodes,
                    value.as_str(),
                    phrase,
                );
            }
            _ => {}
        }
    }
    for (value, from) in &old {
        if !new.contains_key(value) && !among(&pair.removed, from.target) {
            let phrase = format!("lost the discriminator value `{value}`");
            let nodes = (Some(from.at), revision.discriminator);
            pair.fact(
                Words::One("discriminator-mapping-deleted"),
                nodes,
                value.as_str(),
                phrase,
            );
        }
    }
}

/// Whether a value selects the same alternative on both sides.
fn same<'d>(pair: &mut Comparing<'_, 'd>, from: &Target<'d>, to: &Target<'d>) -> bool {
    let is = |(old, new): &(&Node, &Node)| {
        (
            std::ptr::eq(*old, from.target),
            std::ptr::eq(*new, to.target),
        )
    };
    if let Some((old, new)) = pair.matched.iter().map(is).find(|(old, new)| *old || *new) {
        return old && new;
    }
    let base = pair.pairs.base.intern(&[from.target], from.at);
    let revision = pair.pairs.revision.intern(&[to.target], to.at);
    let alike = pair.pairs.base.digest(base, DEPTH) == pair.pairs.revision.digest(revision, DEPTH);
    alike || from.at.same_value(to.at)
}

/// The values of a discriminator, and the alternative of all others (3.2).
fn with_default<'d>(schemas: &mut Schemas<'d>, flat: &Flat<'d>) -> BTreeMap<String, Target<'d>> {
    let mut all = mapping(schemas, flat);
    let named = flat
        .discriminator
        .and_then(|own| own.get("defaultMapping"))
        .and_then(|at| Some((at, schemas.named(at.as_str()?)?)));
    if let Some((at, target)) = named {
        all.insert(OTHERS.to_owned(), Target { at, target });
    }
    all
}

/// The values of a discriminator: those in its mapping, and the names of all other alternatives.
pub(super) fn mapping<'d>(
    schemas: &mut Schemas<'d>,
    flat: &Flat<'d>,
) -> BTreeMap<String, Target<'d>> {
    let mut mapping = BTreeMap::new();
    let Some(discriminator) = flat.discriminator else {
        return mapping;
    };
    for entry in discriminator
        .get("mapping")
        .into_iter()
        .flat_map(Node::entries)
    {
        let target = entry.value.as_str().and_then(|name| schemas.named(name));
        let target = target.unwrap_or(&entry.value);
        mapping.insert(
            entry.key.clone(),
            Target {
                at: &entry.value,
                target,
            },
        );
    }
    for node in flat.groups.iter().flat_map(|group| &group.alternatives) {
        let name = node.reference().and_then(|text| text.rsplit('/').next());
        let target = schemas.resolve(node);
        let written = mapping
            .values()
            .any(|other| std::ptr::eq(other.target, target));
        if let Some(name) = name.filter(|_| !written) {
            mapping.insert(name.to_owned(), Target { at: node, target });
        }
    }
    mapping
}
