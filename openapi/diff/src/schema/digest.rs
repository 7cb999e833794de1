//! Digest: hashes of schemas, to find schemas with equal meaning.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::applicators::{Applicator, Form, dependents};
use super::flat::{Bound, Flat, Group};
use super::schemas::{SchemaId, Schemas};
use openapi_document::node::Node;

/// The depth to which schemas are hashed.
pub(crate) const DEPTH: u8 = 4;

impl<'d> Schemas<'d> {
    /// The hash of a schema down to a depth. It ignores spelling and the order of unordered parts.
    pub(crate) fn digest(&mut self, id: SchemaId, depth: u8) -> u64 {
        if let Some(known) = self.digests.get(&(id, depth)) {
            return *known;
        }
        let flat = self.flat(id);
        let mut hasher = DefaultHasher::new();
        self.common(&flat, depth).hash(&mut hasher);
        let mut groups: Vec<_> = flat
            .groups
            .iter()
            .map(|group| self.group(&flat, group, depth))
            .collect();
        groups.sort_unstable();
        groups.dedup();
        groups.hash(&mut hasher);
        let digest = hasher.finish();
        self.digests.insert((id, depth), digest);
        digest
    }

    /// The hash of a list of alternatives.
    pub(crate) fn group(&mut self, flat: &Flat<'d>, group: &Group<'d>, depth: u8) -> u64 {
        let nodes = group.alternatives.iter();
        let mut all: Vec<_> = nodes
            .map(|node| self.child(&[*node], flat.at, depth))
            .collect();
        all.sort_unstable();
        let mut hasher = DefaultHasher::new();
        (group.exactly_one, all).hash(&mut hasher);
        hasher.finish()
    }

    /// The lists of alternatives of a schema, without duplicates.
    pub(crate) fn groups(&mut self, flat: &Flat<'d>) -> Vec<Group<'d>> {
        if flat.groups.len() < 2 {
            return flat.groups.clone();
        }
        let mut seen = HashSet::new();
        let new = |group: &&Group<'d>| seen.insert(self.group(flat, group, DEPTH));
        flat.groups.iter().filter(new).cloned().collect()
    }

    /// The hash of a schema without its alternatives.
    pub(crate) fn common(&mut self, flat: &Flat<'d>, depth: u8) -> u64 {
        let mut hasher = DefaultHasher::new();
        hash_scalars(flat, &mut hasher);
        for (name, property) in &flat.properties {
            let digest = self.child(&property.schemas, property.node, depth);
            (name, property.required.is_some(), digest).hash(&mut hasher);
        }
        self.child(&flat.rest, flat.at, depth).hash(&mut hasher);
        self.child(&flat.items, flat.at, depth).hash(&mut hasher);
        let mut nots: Vec<_> = flat
            .nots
            .iter()
            .map(|node| self.child(&[*node], flat.at, depth))
            .collect();
        nots.sort_unstable();
        nots.dedup();
        nots.hash(&mut hasher);
        let applicators = flat.applicators.iter();
        let mut prints: Vec<_> = applicators.map(|one| self.print(one, depth)).collect();
        prints.sort_unstable();
        prints.hash(&mut hasher);
        hasher.finish()
    }

    pub(super) fn child(&mut self, nodes: &[&'d Node], owner: &'d Node, depth: u8) -> u64 {
        if nodes.is_empty() {
            return 0;
        }
        if depth == 0 {
            return 1;
        }
        let id = self.intern(nodes, owner);
        self.digest(id, depth - 1)
    }
}

fn hash_scalars(flat: &Flat<'_>, hasher: &mut DefaultHasher) {
    flat.types.hash(hasher);
    let mut words: Vec<_> = flat
        .formats
        .iter()
        .map(|word| ("format", word.text))
        .collect();
    words.extend(flat.patterns.iter().map(|word| ("pattern", word.text)));
    words.sort_unstable();
    words.hash(hasher);
    let bound = |bound: &Option<Bound<'_>>| {
        bound.as_ref().map(|bound| match &bound.whole {
            Some(whole) => (whole.clone(), false),
            None => (bound.limit.clone(), bound.exclusive),
        })
    };
    (bound(&flat.lower), bound(&flat.upper)).hash(hasher);
    let sizes: Vec<_> = flat
        .sizes
        .iter()
        .map(|size| size.as_ref().map(|size| &size.size))
        .collect();
    sizes.hash(hasher);
    let multiples: Vec<_> = flat
        .multiples
        .iter()
        .map(|multiple| &multiple.size)
        .collect();
    multiples.hash(hasher);
    let flags = [flat.unique, flat.read_only, flat.write_only].map(|flag| flag.is_some());
    flags.hash(hasher);
    for values in [&flat.values, &flat.known] {
        values
            .as_ref()
            .map(|values| values.list.keys().collect::<Vec<_>>())
            .hash(hasher);
    }
}

impl<'d> Schemas<'d> {
    /// The canonical text of an applicator.
    pub(super) fn print(&mut self, one: &Applicator<'d>, depth: u8) -> String {
        let mut child = |node: &'d Node| format!("{:x}", self.child(&[node], one.owner, depth));
        let text = match one.keyword.form {
            Form::Inside => child(one.value) + &range(one),
            Form::List => one.value.items().map(child).collect::<Vec<_>>().join(","),
            Form::Map { .. } => {
                let entries = one.value.entries();
                let all = entries.map(|entry| format!("{:?}{}", entry.key, child(&entry.value)));
                let mut all: Vec<_> = all.collect();
                all.sort();
                all.concat()
            }
            Form::Names => format!("{:?}", dependents(one.value)),
            Form::Condition => {
                let part = |key: &&str| one.owner.get(key);
                let parts = ["if", "then", "else"];
                let mut part = |key| part(&key).map_or_else(|| "-".to_owned(), &mut child);
                parts.map(&mut part).join(",")
            }
            Form::Meaning | Form::Unknown => super::canonical::text(one.value),
        };
        format!("{} {text}", one.keyword.name)
    }
}

/// The limits on the number of items for `contains`.
fn range(one: &Applicator<'_>) -> String {
    if one.keyword.name != "contains" {
        return String::new();
    }
    let count = |key: &str| one.owner.get(key).map(super::canonical::text);
    format!(
        " {}..{}",
        count("minContains").unwrap_or_else(|| "1".to_owned()),
        count("maxContains").unwrap_or_default()
    )
}
