//! Fact: a rule, and where it was read.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;

use openapi_document::{Diagnostic, Diagnostics};

use crate::entry::{Entry, Ruling};
use crate::evidence::Evidence;
use crate::rule::Rule;
use crate::source::Source;

/// The id of a fact, such as `barred/deleteShipment/not-DRAFT`: its kind, its subject and its condition. It stays the
/// same when the words of the document change and the rule does not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(String);

impl FactId {
    /// The id of a rule.
    pub fn of(rule: &Rule) -> Self {
        let plain = |c: char| c.is_alphanumeric() || "/-+=._{}".contains(c);
        let key = rule.key();
        let key = key.chars().map(|c| if plain(c) { c } else { '_' });
        Self(format!("{}/{}", rule.kind(), key.collect::<String>()))
    }

    /// The text of it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FactId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A statement about the service.
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its id.
    pub id: FactId,
    /// What it says.
    pub rule: Rule,
    /// Where it was read.
    pub because: Vec<Source>,
}

impl Fact {
    /// A fact that was read at one place.
    pub(crate) fn new(rule: Rule, source: Source) -> Self {
        Self {
            id: FactId::of(&rule),
            rule,
            because: vec![source],
        }
    }

    /// The strongest evidence of its sources.
    pub fn evidence(&self) -> Evidence {
        let all = self.because.iter().map(Source::evidence);
        all.max().unwrap_or(Evidence::Read)
    }
}

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
    /// Adds a fact. Where its id is there already, only its sources are added; where what is there says something else,
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
        if known.rule == fact.rule {
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
