//! Collects the examples and scenarios of a document as scripts.

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

/// The part of a contract to run, and the values for it.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Areas in scope; all when empty.
    pub areas: BTreeSet<String>,
    /// Patterns of the operations in scope; all when empty.
    pub operations: BTreeSet<String>,
    /// Operations that the user excludes.
    pub exclusions: Exclusions,
    /// Operations that are not called, or called last.
    pub withheld: Withheld,
    /// The only cases to report; all when empty.
    pub cases: BTreeSet<String>,
    /// The shard to run; all cases when `None`.
    pub shard: Option<Shard>,
    /// Headers that every request carries, in lower case.
    pub headers: BTreeSet<String>,
    /// Whether requests carry credentials.
    pub has_credentials: bool,
    /// Inputs for every scenario.
    pub inputs: BTreeMap<String, Node>,
    /// Inputs for single scenarios, by scenario; they override `inputs`.
    pub scenario_inputs: BTreeMap<String, BTreeMap<String, Node>>,
}

impl Selection {
    /// Whether reports contain a case.
    pub fn wants(&self, case: &str) -> bool {
        let is_named = self.cases.is_empty() || self.cases.contains(case);
        is_named && self.shard.as_ref().is_none_or(|shard| shard.has(case))
    }

    /// The selection with the cases and operations of a document.
    #[must_use]
    pub fn of_document(&self, document: &Document) -> Self {
        let shard = self.shard.clone();
        Self {
            shard: shard.map(|shard| shard.of_document(document)),
            withheld: Withheld::of(document, &self.exclusions),
            ..self.clone()
        }
    }

    /// Whether only some of the cases in scope run.
    pub fn is_partial(&self) -> bool {
        !self.cases.is_empty() || self.shard.is_some()
    }

    /// Whether an operation is in scope.
    pub fn covers(&self, operation: &Operation<'_>) -> bool {
        let area = self.areas.is_empty() || self.areas.contains(&area(operation));
        let mut patterns = self.operations.iter();
        let is_named = patterns.any(|pattern| withheld::names(pattern, operation));
        area && (self.operations.is_empty() || is_named)
    }
}

/// The area of an operation: its first tag, or `untagged`.
pub fn area(operation: &Operation<'_>) -> String {
    operation
        .tags()
        .first()
        .map_or_else(|| "untagged".to_owned(), |tag| (*tag).to_owned())
}

/// Collects the cases in scope. Cases outside the report are collected only for laws, which reuse
/// their requests.
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
    /// Marks the steps of withheld operations as blocked.
    fn withhold(&mut self, withheld: &Withheld) {
        let steps = self.scripts.iter_mut().flat_map(|script| &mut script.steps);
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
