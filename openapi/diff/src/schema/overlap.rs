//! Overlap: whether a value may match two schemas.

use std::collections::{BTreeMap, BTreeSet};

use super::flat::{Flat, Values};
use super::schemas::{SchemaId, Schemas};
use super::types::Types;

/// The values that a schema accepts, as far as they distinguish it from others.
#[derive(Debug)]
pub(super) struct Reach {
    types: Types,
    values: Option<BTreeSet<String>>,
    /// Listed values of required properties.
    tags: BTreeMap<String, BTreeSet<String>>,
    /// Whether it accepts every value of its types.
    whole: bool,
}

/// The values that a schema accepts.
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
    /// Whether one certainly accepts all values of the other.
    pub(super) fn is_within_or_around(&self, other: &Self) -> bool {
        let around = |outer: &Self, inner: &Self| {
            outer.whole && outer.types.covers(inner.types) && !inner.types.is_empty()
        };
        around(self, other) || around(other, self)
    }

    /// Whether certainly no value matches both: the types differ, the values differ, or the values
    /// of a property that both require.
    pub(super) fn is_apart_from(&self, other: &Self) -> bool {
        let common = self.types.and(other.types);
        let differ = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.is_disjoint(b);
        let values = match (&self.values, &other.values) {
            (Some(values), Some(other)) => differ(values, other),
            _ => false,
        };
        let tags = || {
            self.tags.iter().any(|(name, tags)| {
                other
                    .tags
                    .get(name)
                    .is_some_and(|other| differ(tags, other))
            })
        };
        common.is_empty() || values || (common == Types::OBJECT && tags())
    }
}

/// Whether no two of them overlap; assumed for more than 100.
pub(super) fn apart(all: &[Reach]) -> bool {
    const MOST: usize = 100;
    all.len() > MOST
        || all.iter().enumerate().all(|(index, one)| {
            all.iter()
                .skip(index + 1)
                .all(|other| one.is_apart_from(other))
        })
}
