//! Fact: a rule, and where it was read.

use std::fmt;

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
    /// What the reader of the facts has to know, such as that no sentence was read.
    pub notes: Vec<String>,
}

impl Facts {
    /// Adds a fact; where its id is there already, only its sources are added.
    pub(crate) fn add(&mut self, fact: Fact) {
        match self.list.iter_mut().find(|known| known.id == fact.id) {
            Some(known) => known.because.extend(fact.because),
            None => self.list.push(fact),
        }
    }
}
