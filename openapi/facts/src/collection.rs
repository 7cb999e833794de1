//! Collection: facts as they are read, and with what their owner has ruled on them.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use openapi_document::{Diagnostic, Diagnostics};

use crate::entry::{Entry, Ruling};
use crate::fact::Fact;
use crate::fact_id::FactId;
use crate::source::Source;

/// What a document says about its service.
#[derive(Debug, Clone, std::default::Default)]
pub struct Facts {
    /// The facts, each id once, in the order of the document.
    pub list: Vec<Fact>,
    /// The facts that their owner has rejected.
    pub rejected: Vec<Fact>,
    /// The entries of the behaviour file.
    pub entries: Vec<Entry>,
    /// What is wrong with the entries, with its place in the behaviour file.
    pub problems: Diagnostics,
    /// What the reader of the facts has to know, such as that no sentence was read.
    pub notes: Vec<String>,
}

/// The owner of what is said of a parameter that several operations share.
const ANY: &str = "any operation";

impl Facts {
    /// The facts of an operation: its own, then those of parameters that several operations share.
    pub fn of<'f>(&'f self, label: &str) -> impl Iterator<Item = &'f Fact> + use<'f> {
        let owned_by = |owner: String| {
            self.list
                .iter()
                .filter(move |fact| fact.rule.owner() == owner)
        };
        owned_by(label.to_owned()).chain(owned_by(ANY.to_owned()))
    }
}

fn stale(entry: &Entry) -> Diagnostic {
    let title = format!("the document no longer says `{}`", entry.id);
    let finding = Diagnostic::error("behaviour-stale-fact", title).at(entry.span, "");
    finding.help("remove the entry; to state the fact without a sentence, remove its mark")
}

/// Facts as they are collected.
#[derive(Debug, std::default::Default)]
pub(crate) struct Collection {
    facts: Vec<Fact>,
    index: HashMap<FactId, usize>,
    /// Ids of which two sentences say different things.
    disputed: HashSet<FactId>,
}

impl Collection {
    /// Adds a fact. Where its id is there already, only its sources are added, and the status of a refusal that the other
    /// sentence leaves out; where what is there says something else,
    /// the stronger evidence counts, and of two that are equally strong neither.
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

    /// The facts that nothing disputes, in the order in which they were found, with what their owner has ruled.
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
        Facts {
            list,
            rejected,
            entries,
            problems,
            notes,
        }
    }
}
