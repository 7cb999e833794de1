//! Pair: a schema of each document, compared once.

use std::collections::HashMap;
use std::rc::Rc;

use super::digest::DEPTH;
use super::fact::{Edge, Fact, Step, Words};
use super::flat::{Flat, Property};
use super::pair_id::PairId;
use super::schemas::{SchemaId, Schemas};
use super::untouched::Untouched;
use crate::side::Mark;
use openapi_document::node::Node;
use openapi_document::view::{Document, Located};

/// The differences of a pair, and the pairs that it leads to.
#[derive(Debug, Default)]
pub(crate) struct Pair<'d> {
    pub(crate) facts: Vec<Fact<'d>>,
    pub(crate) edges: Vec<Edge<'d>>,
}

/// The maximum number of pairs; the comparison stops there for pathological documents.
const MOST: usize = 200_000;

/// All pairs to compare.
#[derive(Debug)]
pub(crate) struct Pairs<'d> {
    pub(super) base: Schemas<'d>,
    pub(super) revision: Schemas<'d>,
    untouched: Untouched,
    ids: HashMap<(SchemaId, SchemaId), PairId>,
    keys: Vec<(SchemaId, SchemaId)>,
    done: Vec<Pair<'d>>,
    /// Whether a pair differs, or leads to one that does.
    differs: Vec<bool>,
    /// Whether some pairs were skipped because there are too many.
    pub(crate) is_incomplete: bool,
}

/// Two schemas, each the conjunction of several nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between<'a, 'd> {
    pub(crate) base: &'a [&'d Node],
    pub(crate) revision: &'a [&'d Node],
    /// The nodes that contain them, or would.
    pub(crate) owners: (&'d Node, &'d Node),
}

/// The pair that is being compared.
pub(super) struct Comparing<'p, 'd> {
    pub(super) pairs: &'p mut Pairs<'d>,
    pub(super) ids: (SchemaId, SchemaId),
    pub(super) base: Rc<Flat<'d>>,
    pub(super) revision: Rc<Flat<'d>>,
    /// Alternatives that were matched, added and removed.
    pub(super) matched: Vec<(&'d Node, &'d Node)>,
    pub(super) added: Vec<&'d Node>,
    pub(super) removed: Vec<&'d Node>,
    pub(super) found: Pair<'d>,
}

impl<'d> Pairs<'d> {
    pub(crate) fn new(base: &'d Document, revision: &'d Document) -> Self {
        Self {
            base: Schemas::new(base),
            revision: Schemas::new(revision),
            untouched: Untouched::new(base, revision),
            ids: HashMap::new(),
            keys: Vec::new(),
            done: Vec::new(),
            differs: Vec::new(),
            is_incomplete: false,
        }
    }

    /// Whether two parts are written identically, including everything they refer to.
    pub(crate) fn untouched(&self, base: &Node, revision: &Node) -> bool {
        self.untouched.holds(base, revision)
    }

    /// Registers a pair for comparison; `None` if both are written identically.
    pub(crate) fn enter(&mut self, both: Between<'_, 'd>) -> Option<PairId> {
        let alike = both.base.len() == both.revision.len()
            && both
                .base
                .iter()
                .zip(both.revision)
                .all(|(a, b)| self.untouched(a, b));
        if alike {
            return None;
        }
        let base = self.base.intern(both.base, both.owners.0);
        let revision = self.revision.intern(both.revision, both.owners.1);
        self.enter_ids(base, revision)
    }

    pub(super) fn enter_ids(&mut self, base: SchemaId, revision: SchemaId) -> Option<PairId> {
        if let Some(known) = self.ids.get(&(base, revision)) {
            return Some(*known);
        }
        if self.keys.len() >= MOST || self.base.len() + self.revision.len() > MOST {
            self.is_incomplete = true;
            return None;
        }
        let id = PairId(self.keys.len());
        self.ids.insert((base, revision), id);
        self.keys.push((base, revision));
        Some(id)
    }

    /// Compares all registered pairs, and those that they lead to, with a function that compares
    /// keywords.
    pub(super) fn complete(&mut self, by_keywords: fn(&mut Comparing<'_, 'd>)) {
        while let Some(&(base, revision)) = self.keys.get(self.done.len()) {
            let pair = self.compare(base, revision, by_keywords);
            self.done.push(pair);
        }
        self.spread();
    }

    /// Whether a schema of the base is equal in meaning to a component of the revision.
    pub(crate) fn has_like(&mut self, node: &'d Node, new: &[(&str, Located<'d>)]) -> bool {
        let id = self.base.intern(&[node], node);
        let digest = self.base.digest(id, DEPTH);
        new.iter().any(|(_, other)| {
            let id = self.revision.intern(&[other.node], other.node);
            self.revision.digest(id, DEPTH) == digest
        })
    }

    /// The differences of a pair, and the pairs that it leads to.
    pub(crate) fn pair(&self, id: PairId) -> Option<&Pair<'d>> {
        self.done.get(id.0)
    }

    /// The normalized schemas of a pair.
    pub(crate) fn flats(&mut self, id: PairId) -> (Rc<Flat<'d>>, Rc<Flat<'d>>) {
        let (base, revision) = self.keys[id.0];
        (self.base.flat(base), self.revision.flat(revision))
    }

    /// The normalized schema of a property in one of the documents.
    pub(crate) fn property(&mut self, of_base: bool, property: &Property<'d>) -> Rc<Flat<'d>> {
        let schemas = if of_base {
            &mut self.base
        } else {
            &mut self.revision
        };
        let id = schemas.intern(&property.schemas, property.node);
        schemas.flat(id)
    }

    /// Whether a pair differs, or leads to one that does.
    pub(crate) fn differs(&self, id: PairId) -> bool {
        self.differs.get(id.0).copied().unwrap_or_default()
    }

    fn compare(
        &mut self,
        base: SchemaId,
        revision: SchemaId,
        by_keywords: fn(&mut Comparing<'_, 'd>),
    ) -> Pair<'d> {
        let (old, new) = (self.base.flat(base), self.revision.flat(revision));
        let mut comparing = Comparing {
            pairs: self,
            ids: (base, revision),
            base: old,
            revision: new,
            matched: Vec::new(),
            added: Vec::new(),
            removed: Vec::new(),
            found: Pair::default(),
        };
        by_keywords(&mut comparing);
        comparing.found
    }

    /// Marks the pairs that lead to a difference, backwards from the differences.
    fn spread(&mut self) {
        let mut from: Vec<Vec<usize>> = vec![Vec::new(); self.done.len()];
        let mut open = Vec::new();
        self.differs = vec![false; self.done.len()];
        for (index, pair) in self.done.iter().enumerate() {
            for edge in &pair.edges {
                if let Some(to) = edge.to {
                    from[to.0].push(index);
                }
            }
            if !pair.facts.is_empty() || pair.edges.iter().any(|edge| edge.step.counts()) {
                open.push(index);
            }
        }
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut self.differs[index], true) {
                open.extend(&from[index]);
            }
        }
    }
}

impl<'d> Comparing<'_, 'd> {
    /// Records a difference between two nodes; a missing node is replaced by its schema.
    pub(super) fn fact(
        &mut self,
        word: Words,
        nodes: (Option<&'d Node>, Option<&'d Node>),
        detail: impl Into<String>,
        phrase: impl Into<String>,
    ) {
        self.found.facts.push(Fact {
            word,
            detail: detail.into(),
            phrase: phrase.into(),
            base: Mark::of(nodes.0.unwrap_or(self.base.at)),
            revision: Mark::of(nodes.1.unwrap_or(self.revision.at)),
            whole: (false, false),
        });
    }

    /// Registers the pair of schemas for a part of the value.
    pub(super) fn edge(&mut self, step: Step<'d>, base: &[&'d Node], revision: &[&'d Node]) {
        let owners = (self.base.at, self.revision.at);
        let to = self.pairs.enter(Between {
            base,
            revision,
            owners,
        });
        if to.is_some() || step.counts() {
            let sites = match (base.first(), revision.first()) {
                (Some(base), Some(revision)) => Some((Mark::of(base), Mark::of(revision))),
                _ => None,
            };
            self.found.edges.push(Edge { step, sites, to });
        }
    }
}

impl Step<'_> {
    /// Whether the step itself may be a difference.
    fn counts(&self) -> bool {
        match self {
            Step::Property {
                base: Some(base),
                revision: Some(revision),
                ..
            } => base.required.is_some() != revision.required.is_some(),
            Step::Property { .. } => true,
            _ => false,
        }
    }
}
