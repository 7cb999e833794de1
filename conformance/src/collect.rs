//! Collect: the examples of a document and its scenarios → what is to be run.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::Node;
use openapi_document::view::{Document, Operation};

use crate::case::{CaseName, Collection, Settled};
use crate::contract::Contract;
use crate::level::Verdict;
use crate::scenario::Scenario;
use crate::shard::Shard;
use crate::withheld::{self, Exclusions, Withheld};

pub mod documented;
pub mod request;
pub mod scenarios;

use documented::Documented;

/// What part of a contract is run, and with which values.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Areas in scope; all where empty.
    pub areas: BTreeSet<String>,
    /// Patterns of the operations in scope; all where empty.
    pub operations: BTreeSet<String>,
    /// Operations that the user excludes.
    pub exclusions: Exclusions,
    /// Operations of the document that are not called, or last.
    pub withheld: Withheld,
    /// The only cases that are told of; all where empty.
    pub cases: BTreeSet<String>,
    /// The part of the cases that is run; all where it is absent.
    pub shard: Option<Shard>,
    /// Headers that every request carries, in lower case.
    pub headers: BTreeSet<String>,
    /// Whether requests carry credentials.
    pub has_credentials: bool,
    /// Values for the inputs of every scenario.
    pub inputs: BTreeMap<String, Node>,
    /// Values for the inputs of single scenarios, which come before the others.
    pub scenario_inputs: BTreeMap<String, BTreeMap<String, Node>>,
}

impl Selection {
    /// Whether a case is told of.
    pub fn wants(&self, case: &str) -> bool {
        let is_named = self.cases.is_empty() || self.cases.contains(case);
        is_named && self.shard.as_ref().is_none_or(|own| own.has(case))
    }

    /// The same selection, of the cases and operations of a document.
    #[must_use]
    pub fn of_document(&self, document: &Document) -> Self {
        let shard = self.shard.clone();
        Self {
            shard: shard.map(|own| own.of_document(document)),
            withheld: Withheld::of(document, &self.exclusions),
            ..self.clone()
        }
    }

    /// Whether only some cases of what is in scope are run.
    pub fn is_partial(&self) -> bool {
        !self.cases.is_empty() || self.shard.is_some()
    }

    /// Whether an operation is in scope.
    pub fn covers(&self, operation: &Operation<'_>) -> bool {
        let area = self.areas.is_empty() || self.areas.contains(&area(operation));
        let mut patterns = self.operations.iter();
        let is_named = patterns.any(|own| withheld::names(own, operation));
        area && (self.operations.is_empty() || is_named)
    }
}

/// The area of an operation: its first tag.
pub fn area(operation: &Operation<'_>) -> String {
    operation
        .tags()
        .first()
        .map_or_else(|| "untagged".to_owned(), |tag| (*tag).to_owned())
}

/// Collects the cases in scope; the documented ones that are not told of only where laws follow, which take
/// requests from them.
pub fn collect<'d>(
    contract: &Contract<'d>,
    scenarios: Vec<Scenario>,
    selection: &Selection,
    laws: bool,
) -> Collection<'d> {
    let mut collection = Collection::default();
    let reached = scenarios::collect(contract, scenarios, selection, &mut collection);
    let is_needed = |case: &str| laws || selection.wants(case);
    for operation in contract.document.operations() {
        if selection.covers(&operation) {
            let documented = Documented::new(contract, &operation, selection, &reached);
            documented.collect(&is_needed, &mut collection);
        }
    }
    collection.withhold(&selection.withheld);
    collection
}

impl Collection<'_> {
    /// Blocks the steps of operations that are not called.
    fn withhold(&mut self, withheld: &Withheld) {
        let steps = self.scripts.iter_mut().flat_map(|own| &mut own.steps);
        for step in steps {
            if let Some(reason) = withheld.reason(&step.name.operation) {
                step.blocked = Some(reason.to_owned());
            }
        }
    }

    fn settle(&mut self, name: CaseName, verdict: Verdict, reason: impl Into<String>) {
        self.settled.push(Settled {
            name,
            open: None,
            verdict,
            reason: reason.into(),
        });
    }
}
