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
    }
}

fn listed(flat: &Flat<'_>) -> Option<BTreeSet<String>> {
    let all = |values: &Values<'_>| values.list.keys().cloned().collect();
    flat.values.as_ref().map(all)
}

impl Reach {
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
