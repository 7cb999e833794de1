//! Pairs of schemas, one of each document, each compared once.

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

/// What was found of a pair.
#[derive(Debug, Default)]
pub(crate) struct Pair<'d> {
    pub(crate) facts: Vec<Fact<'d>>,
    pub(crate) edges: Vec<Edge<'d>>,
}

/// Pairs that are compared at most; documents that keep from ending are given up.
const MOST: usize = 200_000;

/// All pairs that have to be compared.
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
    /// Whether some pairs were not compared, since there were too many.
    pub(crate) given_up: bool,
}

/// Two schemas of which each is made of several that all hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between<'a, 'd> {
    pub(crate) base: &'a [&'d Node],
    pub(crate) revision: &'a [&'d Node],
    /// The nodes in which they stand, or would.
    pub(crate) owners: (&'d Node, &'d Node),
}

/// The pair that is being compared.
pub(super) struct Comparing<'p, 'd> {
    pub(super) pairs: &'p mut Pairs<'d>,
    pub(super) ids: (SchemaId, SchemaId),
    pub(super) base: Rc<Flat<'d>>,
    pub(super) revision: Rc<Flat<'d>>,
    /// Alternatives that became each other, that came, and that went.
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
            given_up: false,
        }
    }

    /// Whether two parts are written alike, down to everything they refer to.
    pub(crate) fn untouched(&self, base: &Node, revision: &Node) -> bool {
        self.untouched.holds(base, revision)
    }

    /// Notes that two schemas have to be compared; nothing where they are written alike.
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
            self.given_up = true;
            return None;
        }
        let id = PairId(self.keys.len());
        self.ids.insert((base, revision), id);
        self.keys.push((base, revision));
        Some(id)
    }

    /// Compares all pairs that were noted, and those they lead to, each by a function that goes through
    /// the keywords.
    pub(super) fn complete(&mut self, by_keywords: fn(&mut Comparing<'_, 'd>)) {
        while let Some(&(base, revision)) = self.keys.get(self.done.len()) {
            let pair = self.compare(base, revision, by_keywords);
            self.done.push(pair);
        }
        self.spread();
    }

    /// Whether a schema of the base asks for the same as one of the revision's components.
    pub(crate) fn has_like(&mut self, node: &'d Node, new: &[(&str, Located<'d>)]) -> bool {
        let id = self.base.intern(&[node], node);
        let digest = self.base.digest(id, DEPTH);
        new.iter().any(|(_, other)| {
            let id = self.revision.intern(&[other.node], other.node);
            self.revision.digest(id, DEPTH) == digest
        })
    }

    /// What was found of a pair.
    pub(crate) fn pair(&self, id: PairId) -> Option<&Pair<'d>> {
        self.done.get(id.0)
    }

    /// What the two schemas of a pair ask for.
    pub(crate) fn flats(&mut self, id: PairId) -> (Rc<Flat<'d>>, Rc<Flat<'d>>) {
        let (base, revision) = self.keys[id.0];
        (self.base.flat(base), self.revision.flat(revision))
    }

    /// What a property of one of the documents asks for.
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

    /// Works out backwards which pairs lead to a difference.
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
    /// Notes a difference between two nodes; where a side has none, its schema is shown.
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

    /// Notes that a schema inside this pair has to be compared.
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
