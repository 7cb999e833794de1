//! Matching: pairs the alternatives of the base with those of the revision.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::digest::DEPTH;
use super::discriminator;
use super::flat::{Flat, Group};
use super::schemas::Schemas;
use super::types::Types;
use openapi_document::node::Node;

/// One alternative.
#[derive(Debug, Clone)]
pub(super) struct Alternative<'d> {
    pub(super) node: &'d Node,
    /// The schema object, with references followed.
    pub(super) target: &'d Node,
    pub(super) flat: Rc<Flat<'d>>,
    /// A label that survives a rewritten document if possible.
    pub(super) label: String,
    digest: u64,
    /// The discriminator value that selects it.
    value: Option<String>,
    /// The name of its component.
    name: Option<String>,
}

/// The result of the matching.
#[derive(Debug, Default)]
pub(super) struct Matches<'d> {
    pub(super) pairs: Vec<(Alternative<'d>, Alternative<'d>)>,
    pub(super) added: Vec<Alternative<'d>>,
    pub(super) removed: Vec<Alternative<'d>>,
    /// Whether all pairs are equal in meaning.
    pub(super) all_alike: bool,
}

/// Reads the alternatives of a group.
pub(super) fn read<'d>(
    schemas: &mut Schemas<'d>,
    owner: &Flat<'d>,
    group: &Group<'d>,
) -> Vec<Alternative<'d>> {
    let mapping = discriminator::mapping(schemas, owner);
    let mut all: Vec<Alternative<'d>> = Vec::new();
    for node in &group.alternatives {
        let id = schemas.intern(&[*node], group.at);
        let target = schemas.resolve(node);
        let value = mapping
            .iter()
            .find(|(_, to)| std::ptr::eq(to.target, target));
        let name = node.reference().and_then(|text| text.rsplit('/').next());
        let digest = schemas.digest(id, DEPTH);
        // In `anyOf`, a repeated alternative has no effect.
        let mut others = all.iter().filter(|other| other.digest == digest);
        if !group.exactly_one && others.any(|other| other.target.same_value(target)) {
            continue;
        }
        all.push(Alternative {
            node,
            target,
            flat: schemas.flat(id),
            label: String::new(),
            digest,
            value: value.map(|(value, _)| value.clone()),
            name: name.map(str::to_owned),
        });
    }
    label(&mut all);
    all
}

/// The label: the discriminator value, the type if it is unique, the component name, or the
/// position.
fn label(all: &mut [Alternative<'_>]) {
    let mut types: HashMap<Types, usize> = HashMap::new();
    for one in &*all {
        *types.entry(one.flat.types).or_default() += 1;
    }
    for (index, one) in all.iter_mut().enumerate() {
        let alone = types.get(&one.flat.types) == Some(&1) && one.flat.types != Types::ANY;
        one.label = match (&one.value, &one.name) {
            (Some(value), _) => format!("`{value}`"),
            (None, _) if alone => format!("`{}`", one.flat.types),
            (None, Some(name)) => format!("`{name}`"),
            (None, None) => format!("{}", index + 1),
        };
    }
}

/// Pairs alternatives by, in this order: equal meaning, discriminator value, name, unique type, and
/// similarity.
pub(super) fn pair<'d>(old: Vec<Alternative<'d>>, new: Vec<Alternative<'d>>) -> Matches<'d> {
    let mut matches = Matches::default();
    let mut open = Open {
        old: old.into_iter().map(Some).collect(),
        new: new.into_iter().map(Some).collect(),
    };
    open.by(&mut matches, |one| Some((one.digest, one.name.clone())));
    open.by(&mut matches, |one| Some((one.digest, None::<String>)));
    matches.all_alike = open.rest() == (0, 0);
    open.by(&mut matches, |one| one.value.clone());
    open.by(&mut matches, |one| one.name.clone());
    open.by_type(&mut matches);
    open.by_similarity(&mut matches);
    matches.removed = open.old.into_iter().flatten().collect();
    matches.added = open.new.into_iter().flatten().collect();
    matches
}

/// Alternatives that are not paired yet.
struct Open<'d> {
    old: Vec<Option<Alternative<'d>>>,
    new: Vec<Option<Alternative<'d>>>,
}

impl<'d> Open<'d> {
    fn rest(&self) -> (usize, usize) {
        (
            self.old.iter().flatten().count(),
            self.new.iter().flatten().count(),
        )
    }

    fn take(&mut self, matches: &mut Matches<'d>, old: usize, new: usize) {
        if let (Some(old), Some(new)) = (self.old[old].take(), self.new[new].take()) {
            matches.pairs.push((old, new));
        }
    }

    /// Pairs alternatives with the same unique key.
    fn by<K: Eq + std::hash::Hash>(
        &mut self,
        matches: &mut Matches<'d>,
        key: impl Fn(&Alternative<'d>) -> Option<K>,
    ) {
        let mut places: HashMap<K, Vec<usize>> = HashMap::new();
        for (place, one) in self.new.iter().enumerate().rev() {
            if let Some(key) = one.as_ref().and_then(&key) {
                places.entry(key).or_default().push(place);
            }
        }
        for old in 0..self.old.len() {
            let key = self.old[old].as_ref().and_then(&key);
            if let Some(new) = key.and_then(|key| places.get_mut(&key)?.pop()) {
                self.take(matches, old, new);
            }
        }
    }

    /// Pairs scalars and arrays whose type is unique on both sides.
    fn by_type(&mut self, matches: &mut Matches<'d>) {
        let types: BTreeSet<String> = self
            .old
            .iter()
            .flatten()
            .map(|one| one.flat.types.to_string())
            .collect();
        for name in types {
            let places = |side: &[Option<Alternative<'d>>]| {
                let fits = |one: &Option<Alternative<'d>>| {
                    one.as_ref()
                        .is_some_and(|one| one.flat.types.to_string() == name)
                };
                (0..side.len())
                    .filter(|place| fits(&side[*place]))
                    .collect::<Vec<_>>()
            };
            if let ([old], [new]) = (places(&self.old).as_slice(), places(&self.new).as_slice())
                && name != "object"
                && name != "any"
            {
                self.take(matches, *old, *new);
            }
        }
    }

    fn by_similarity(&mut self, matches: &mut Matches<'d>) {
        /// The maximum number of comparisons for similarity.
        const MOST: usize = 4096;
        let (old, new) = self.rest();
        if old * new > MOST {
            return;
        }
        for old in 0..self.old.len() {
            let Some(flat) = self.old[old].as_ref().map(|one| Rc::clone(&one.flat)) else {
                continue;
            };
            let places: Vec<_> = (0..self.new.len())
                .filter(|place| self.new[*place].is_some())
                .collect();
            let flats = places.iter().filter_map(|place| self.new[*place].as_ref());
            if let Some(best) = most_similar(&flat, flats.map(|one| &*one.flat)) {
                self.take(matches, old, places[best]);
            }
        }
    }
}

/// The index of the most similar schema; `None` if none is similar.
pub(super) fn most_similar<'f, 'd: 'f>(
    flat: &Flat<'d>,
    others: impl Iterator<Item = &'f Flat<'d>>,
) -> Option<usize> {
    let scores = others.map(|other| similarity(flat, other)).enumerate();
    let best = scores.max_by_key(|(place, score)| (*score, std::cmp::Reverse(*place)))?;
    (best.1 >= 30).then_some(best.0)
}

/// The similarity of two schemas in percent: common types, and shared property names.
fn similarity(a: &Flat<'_>, b: &Flat<'_>) -> usize {
    let common = a.types.and(b.types).without(Types::NULL);
    if common.is_empty() || tags_differ(a, b) {
        return 0;
    }
    let shared = a
        .properties
        .keys()
        .filter(|name| b.properties.contains_key(*name))
        .count();
    let all = a.properties.len() + b.properties.len() - shared;
    (shared * 100).checked_div(all).unwrap_or(50)
}

/// Whether a property that both require has disjoint listed values.
fn tags_differ(a: &Flat<'_>, b: &Flat<'_>) -> bool {
    a.properties.iter().any(|(name, property)| {
        let Some(other) = b.properties.get(name) else {
            return false;
        };
        let (Some(values), Some(other_values)) = (tags(&property.schemas), tags(&other.schemas))
        else {
            return false;
        };
        property.required.is_some()
            && other.required.is_some()
            && values.iter().all(|value| !other_values.contains(value))
    })
}

/// The values of a property, if its schema lists them.
fn tags(schemas: &[&Node]) -> Option<BTreeSet<String>> {
    schemas
        .iter()
        .find_map(|node| match (node.get("enum"), node.get("const")) {
            (Some(values), _) => Some(values.items().map(super::canonical::text).collect()),
            (None, Some(value)) => Some(BTreeSet::from([super::canonical::text(value)])),
            (None, None) => None,
        })
}
