//! Contract: the document under test with its compiled schemas, and the sources of findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use openapi_document::schema::{Schemas, Violation};
use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Pointer, Span};
use openapi_facts::{Evidence, Fact, Facts, Rule, Source};

use crate::because::Because;
use crate::conflicts::Conflicts;
use crate::spot::{Spot, spot};

pub(crate) mod actions;
mod direction;
pub mod identity;
mod sensitive;

/// A document with the schemas and texts that are derived from it once per run.
#[derive(Debug)]
pub struct Contract<'d> {
    /// The document.
    pub document: &'d Document,
    schemas: OnceLock<Schemas>,
    /// The schemas for answers, without requirements that hold only for requests. `None` inside
    /// when they equal `schemas`.
    answers: OnceLock<Option<Schemas>>,
    requests: OnceLock<Option<Schemas>>,
    sensitive: OnceLock<BTreeSet<String>>,
    /// Conflicts by the place of their operation.
    conflicts: Mutex<BTreeMap<Pointer, Arc<Conflicts>>>,
    /// Facts that state unique values or idempotency keys.
    keys: Vec<Fact>,
}

impl<'d> Contract<'d> {
    /// Creates a contract. Schemas are compiled when they are first needed.
    pub fn new(document: &'d Document) -> Self {
        Self {
            document,
            schemas: OnceLock::new(),
            answers: OnceLock::new(),
            requests: OnceLock::new(),
            sensitive: OnceLock::new(),
            conflicts: Mutex::default(),
            keys: Vec::new(),
        }
    }

    /// Adds the stated facts about unique values and idempotency keys. The run replaces such values
    /// by fresh ones.
    #[must_use]
    pub fn with(mut self, facts: &Facts) -> Self {
        let is_key = |fact: &&Fact| {
            let is_kind = matches!(fact.rule, Rule::Unique(_) | Rule::Idempotency(_));
            is_kind && fact.rule.holds() && fact.evidence() == Evidence::Stated
        };
        self.keys = facts.list.iter().filter(is_key).cloned().collect();
        self
    }

    /// Whether a fact states that a header is an idempotency key.
    pub fn is_key(&self, header: &str) -> bool {
        self.keys.iter().any(|fact| match &fact.rule {
            Rule::Idempotency(rule) => rule.key.name.as_deref() == Some(header),
            _ => false,
        })
    }

    /// The schemas of one direction, without the requirements of properties that have `flag`.
    fn schemas<'s>(&'s self, directed: &'s OnceLock<Option<Schemas>>, flag: &str) -> &'s Schemas {
        let relaxed = directed.get_or_init(|| {
            let relaxed = direction::without(self.document, flag);
            relaxed.as_ref().map(Schemas::new)
        });
        let shared = || self.schemas.get_or_init(|| Schemas::new(self.document));
        relaxed.as_ref().unwrap_or_else(shared)
    }

    /// The names of all properties that the contract marks as secret.
    pub fn sensitive_names(&self) -> &BTreeSet<String> {
        self.sensitive
            .get_or_init(|| sensitive::names(self.document))
    }

    /// The documented conflicts of an operation.
    pub fn conflicts(&self, operation: &Operation<'_>) -> Arc<Conflicts> {
        let mut known = self
            .conflicts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let conflicts = known.entry(operation.at.pointer.clone());
        Arc::clone(conflicts.or_insert_with(|| {
            let facts = self.keys.iter();
            let unique = facts.filter(|fact| matches!(fact.rule, Rule::Unique(_)));
            let about = unique.filter(|fact| fact.is_about(operation));
            let names = about.filter_map(|fact| fact.rule.subject()?.name.clone());
            Arc::new(Conflicts::of(operation).with_unique(names))
        }))
    }

    /// Every violation of the schema in a part of an answer.
    ///
    /// # Errors
    /// The schema cannot be compiled; gives the reason.
    pub fn validate_answer(
        &self,
        schema: &Located<'_>,
        value: &Node,
    ) -> Result<Vec<Violation>, String> {
        self.schemas(&self.answers, "writeOnly")
            .validate(&self.shared(schema), value)
    }

    /// Every violation of the schema in a part of a request.
    ///
    /// # Errors
    /// The schema cannot be compiled; gives the reason.
    pub fn validate_request(
        &self,
        schema: &Located<'_>,
        value: &Node,
    ) -> Result<Vec<Violation>, String> {
        self.schemas(&self.requests, "readOnly")
            .validate(&self.shared(schema), value)
    }

    /// The target of a schema that only contains a reference. Many bodies share the target, so it
    /// is compiled once.
    fn shared<'s>(&'s self, schema: &Located<'s>) -> Located<'s> {
        let is_bare = schema.node.entries().nth(1).is_none();
        let target = self.document.follow(schema).ok().flatten();
        target.filter(|_| is_bare).unwrap_or_else(|| schema.clone())
    }

    /// The line on which a span of the document begins.
    pub fn spot(&self, span: Span) -> Spot {
        spot(&self.document.sources, span)
    }

    /// The line of a node of the document.
    pub fn spot_of(&self, node: &Node) -> Spot {
        self.spot(node.span)
    }

    /// The reason for a finding that a keyword, a status, a header or an extension states.
    pub fn stated(&self, span: Span) -> Because {
        self.because(&Source::Schema(span))
    }

    /// The reason for a finding that an example shows.
    pub fn shown(&self, example: Span) -> Because {
        self.because(&Source::Example(example))
    }

    /// The reason for a finding that a name suggests.
    pub fn named(&self, span: Span) -> Because {
        self.because(&Source::Name(span))
    }

    fn because(&self, source: &Source) -> Because {
        let found = Because::of(&self.document.sources, source);
        found.unwrap_or_else(|| {
            let spot = self.spot_of(&self.document.root);
            Because::new(source.evidence(), spot, "")
        })
    }

    /// The reason for a finding that a standard states.
    pub fn standard(&self, operation: &Operation<'_>, standard: &str) -> Because {
        let spot = self.spot_of(operation.at.node);
        Because::new(Evidence::Stated, spot, standard)
    }

    /// The statement at a pointer into the bundle. `None` when the pointer leads nowhere.
    pub fn stated_at(&self, pointer: &Pointer) -> Option<Because> {
        Some(self.stated(self.document.lookup(pointer)?.node.span))
    }
}
