//! Collection: gathers facts, merges duplicates and applies the rulings of the behaviour file.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use openapi_document::{Diagnostic, Diagnostics};

use crate::Evidence;
use crate::entry::{Entry, Ruling};
use crate::fact::Fact;
use crate::fact_id::FactId;
use crate::rule::{Order, Rule};
use crate::source::Source;
use crate::subject::Subject;

/// The facts of a document, with the entries of its behaviour file.
#[derive(Debug, Clone, std::default::Default)]
pub struct Facts {
    /// The facts in document order; each id occurs once.
    pub list: Vec<Fact>,
    /// The facts that the behaviour file marks as rejected.
    pub rejected: Vec<Fact>,
    /// The entries of the behaviour file.
    pub entries: Vec<Entry>,
    /// Errors in the entries, with their places in the behaviour file.
    pub problems: Diagnostics,
    /// Notes for the user, such as that no sentence was read because the document is not in
    /// English.
    pub notes: Vec<String>,
}

impl Facts {
    /// The facts of an operation, then the facts of parameters that several operations share.
    pub fn of<'f>(&'f self, label: &str) -> impl Iterator<Item = &'f Fact> + use<'f> {
        let owned_by = |owner: String| {
            self.list
                .iter()
                .filter(move |fact| fact.rule.owner() == owner)
        };
        owned_by(label.to_owned()).chain(owned_by(Subject::SHARED.to_owned()))
    }
}

fn stale(entry: &Entry) -> Diagnostic {
    let title = format!("the document no longer says `{}`", entry.id);
    let finding = Diagnostic::error("behaviour-stale-fact", title).at(entry.span, "");
    finding.help("remove the entry; to state the fact without a sentence, remove its mark")
}

/// Facts while the readers add them.
#[derive(Debug, std::default::Default)]
pub(crate) struct Collection {
    facts: Vec<Fact>,
    index: HashMap<FactId, usize>,
    /// Ids for which two equally strong sources contradict each other.
    disputed: HashSet<FactId>,
}

impl Collection {
    /// Adds a fact. If its id is known and the rules agree, only the sources are merged, and a
    /// status that one of them lacks. If the rules contradict each other, the stronger evidence
    /// wins; if both are equally strong, the id becomes disputed.
    pub(crate) fn add(&mut self, fact: Fact) {
        let Some(known) = self
            .index
            .get(&fact.id)
            .and_then(|at| self.facts.get_mut(*at))
        else {
            self.index.insert(fact.id.clone(), self.facts.len());
            self.facts.push(fact);
            return;
        };
        if known.rule.takes_in(&fact.rule) {
            known.because.extend(fact.because);
            return;
        }
        match fact.evidence().cmp(&known.evidence()) {
            Ordering::Greater => *known = fact,
            Ordering::Equal => {
                self.disputed.insert(fact.id);
            }
            Ordering::Less => {}
        }
    }

    /// The facts that no other one disputes or excludes, in the order in which they were found, with the rulings of the
    /// behaviour file applied.
    pub(crate) fn finish(
        self,
        entries: Vec<Entry>,
        mut problems: Diagnostics,
        notes: Vec<String>,
    ) -> Facts {
        let mut list = self.facts;
        list.retain(|fact| !self.disputed.contains(&fact.id));
        let mut rejected = Vec::new();
        for entry in &entries {
            let at = list.iter().position(|fact| fact.id == entry.id);
            match (entry.ruling, at) {
                (Ruling::Accepted, Some(at)) => {
                    if let Some(fact) = list.get_mut(at) {
                        fact.rule = entry.rule.clone();
                        fact.because.insert(0, Source::Behaviour(entry.span));
                    }
                }
                (Ruling::Accepted, None) => {
                    let source = Source::Behaviour(entry.span);
                    list.push(Fact::new(entry.rule.clone(), source));
                }
                (Ruling::Rejected, Some(at)) => rejected.push(list.remove(at)),
                (Ruling::Rejected | Ruling::Draft, None) => problems.push(stale(entry)),
                (Ruling::Draft, Some(_)) => {}
            }
        }
        without_rivals(&mut list);
        Facts {
            list,
            rejected,
            entries,
            problems,
            notes,
        }
    }
}

/// Removes orders of a list that an order with the same or a stronger evidence excludes. What the owner states stays.
fn without_rivals(list: &mut Vec<Fact>) {
    let order = |fact: &Fact| match &fact.rule {
        Rule::Order(order) => Some((fact.evidence(), order.clone())),
        _ => None,
    };
    let orders: Vec<(Evidence, Order)> = list.iter().filter_map(order).collect();
    list.retain(|fact| match &fact.rule {
        Rule::Order(order) if fact.evidence() < Evidence::Stated => {
            let evidence = fact.evidence();
            let mut others = orders.iter();
            !others.any(|(other, rival)| *other >= evidence && rival.excludes(order))
        }
        _ => true,
    });
}
