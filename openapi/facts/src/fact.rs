//! Fact: a rule, and where it was read.

use crate::evidence::Evidence;
use crate::fact_id::FactId;
use crate::rule::Rule;
use crate::source::Source;

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
