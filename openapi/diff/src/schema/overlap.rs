//! Whether something may fit two schemas.

use std::collections::{BTreeMap, BTreeSet};

use super::flat::{Flat, Values};
use super::schemas::{SchemaId, Schemas};
use super::types::Types;

/// What a schema takes, as far as that tells it from others.
#[derive(Debug)]
pub(super) struct Reach {
    types: Types,
    values: Option<BTreeSet<String>>,
    /// Listed values of required properties.
    tags: BTreeMap<String, BTreeSet<String>>,
    /// Whether it takes every value of its types.
    whole: bool,
}

/// What a schema takes.
pub(super) fn reach(schemas: &mut Schemas<'_>, id: SchemaId) -> Reach {
    let flat = schemas.flat(id);
    let mut tags = BTreeMap::new();
    for (name, property) in &flat.properties {
        if property.required.is_some() {
            let id = schemas.intern(&property.schemas, property.node);
            if let Some(values) = listed(&schemas.flat(id)) {
                tags.insert((*name).to_owned(), values);
            }
        }
    }
    Reach {
        types: flat.types,
        values: listed(&flat),
        tags,
        whole: asks_only_for_types(&flat),
    }
}

fn asks_only_for_types(flat: &Flat<'_>) -> bool {
    let bounds = flat.lower.is_none() && flat.upper.is_none() && flat.unique.is_none();
    let texts = flat.formats.is_empty() && flat.patterns.is_empty() && flat.multiples.is_empty();
    let inside = flat.properties.is_empty() && flat.rest.is_empty() && flat.items.is_empty();
    let more = flat.groups.is_empty() && flat.nots.is_empty() && flat.applicators.is_empty();
    let counts = flat.sizes.iter().all(Option::is_none);
    let values = flat.values.is_none() && flat.required.is_empty();
    bounds && texts && inside && more && counts && values
}

fn listed(flat: &Flat<'_>) -> Option<BTreeSet<String>> {
    let all = |values: &Values<'_>| values.list.keys().cloned().collect();
    flat.values.as_ref().map(all)
}

impl Reach {
    /// Whether one surely takes all that the other takes.
    pub(super) fn is_within_or_around(&self, other: &Self) -> bool {
        let around = |outer: &Self, inner: &Self| {
            outer.whole && outer.types.covers(inner.types) && !inner.types.is_empty()
        };
        around(self, other) || around(other, self)
    }

    /// Whether surely nothing fits both: another type, other values, or other values of a property that
    /// both require.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        let common = self.types.and(other.types);
        let differ = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.is_disjoint(b);
        let values = match (&self.values, &other.values) {
            (Some(own), Some(other)) => differ(own, other),
            _ => false,
        };
        let tags = || {
            self.tags
                .iter()
                .any(|(name, own)| other.tags.get(name).is_some_and(|other| differ(own, other)))
        };
        common.is_empty() || values || (common == Types::OBJECT && tags())
    }
}

/// Whether no two of them take the same; of very many it is taken for granted.
pub(super) fn apart(all: &[Reach]) -> bool {
    const MOST: usize = 100;
    all.len() > MOST
        || all.iter().enumerate().all(|(index, one)| {
            all.iter()
                .skip(index + 1)
                .all(|other| one.is_apart_from(other))
        })
}
