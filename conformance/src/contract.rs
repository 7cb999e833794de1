//! The document under test with its compiled schemas, and the places that findings name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use openapi_document::schema::{Schemas, Violation};
use openapi_document::view::{Document, Located, Operation};
use openapi_document::{Node, Pointer, SourceMap, Span};
use serde::Serialize;

use crate::model::Conflicts;

pub(crate) mod actions;
mod direction;
pub(crate) mod envelopes;
pub mod identity;
mod sensitive;

/// A document and what is derived from it once per run.
#[derive(Debug)]
pub struct Contract<'d> {
    /// The document.
    pub document: &'d Document,
    schemas: OnceLock<Schemas>,
    /// Where they differ: without what only requests, or only answers, have to have.
    answers: OnceLock<Option<Schemas>>,
    requests: OnceLock<Option<Schemas>>,
    sensitive: OnceLock<BTreeSet<String>>,
    /// By the place of the operation.
    conflicts: Mutex<BTreeMap<Pointer, Arc<Conflicts>>>,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The file's path.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl<'d> Contract<'d> {
    /// A contract of which nothing is derived yet: that is done when it is first asked for.
    pub fn new(document: &'d Document) -> Self {
        Self {
            document,
            schemas: OnceLock::new(),
            answers: OnceLock::new(),
            requests: OnceLock::new(),
            sensitive: OnceLock::new(),
            conflicts: Mutex::default(),
        }
    }

    /// The schemas of one direction, in which a flag says what the other alone has to have.
    fn schemas<'s>(&'s self, own: &'s OnceLock<Option<Schemas>>, flag: &str) -> &'s Schemas {
        let relaxed = own.get_or_init(|| {
            let relaxed = direction::without(self.document, flag);
            relaxed.as_ref().map(Schemas::new)
        });
        let shared = || self.schemas.get_or_init(|| Schemas::new(self.document));
        relaxed.as_ref().unwrap_or_else(shared)
    }

    /// The names of all properties that the contract marks as secret somewhere.
    pub fn sensitive_names(&self) -> &BTreeSet<String> {
        self.sensitive
            .get_or_init(|| sensitive::names(self.document))
    }

    /// What is said of the conflicts of an operation.
    pub fn conflicts(&self, operation: &Operation<'_>) -> Arc<Conflicts> {
        let mut known = self
            .conflicts
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let own = known.entry(operation.at.pointer.clone());
        Arc::clone(own.or_insert_with(|| Arc::new(Conflicts::of(operation))))
    }

    /// All ways in which a part of an answer breaks its schema.
    ///
    /// # Errors
    /// The schema itself cannot be used; says why.
    pub fn validate_answer(
        &self,
        schema: &Located<'_>,
        value: &Node,
    ) -> Result<Vec<Violation>, String> {
        self.schemas(&self.answers, "writeOnly")
            .validate(&self.shared(schema), value)
    }

    /// All ways in which a part of a request breaks its schema.
    ///
    /// # Errors
    /// The schema itself cannot be used; says why.
    pub fn validate_request(
        &self,
        schema: &Located<'_>,
        value: &Node,
    ) -> Result<Vec<Violation>, String> {
        self.schemas(&self.requests, "readOnly")
            .validate(&self.shared(schema), value)
    }

    /// What a schema that is nothing but a reference leads to: many bodies share it, and it is
    /// compiled once.
    fn shared<'s>(&'s self, schema: &Located<'s>) -> Located<'s> {
        let is_bare = schema.node.entries().nth(1).is_none();
        let target = self.document.follow(schema).ok().flatten();
        target.filter(|_| is_bare).unwrap_or_else(|| schema.clone())
    }

    /// The line a span of the document begins on.
    pub fn spot(&self, span: Span) -> Spot {
        spot(&self.document.sources, span)
    }

    /// The line of a node of the document.
    pub fn spot_of(&self, node: &Node) -> Spot {
        self.spot(node.span)
    }

    /// The line of what a pointer into the bundle leads to.
    pub fn spot_at(&self, pointer: &Pointer) -> Option<Spot> {
        Some(self.spot_of(self.document.lookup(pointer)?.node))
    }
}

/// The line a span begins on.
pub fn spot(sources: &SourceMap, span: Span) -> Spot {
    let place = sources.place(span);
    Spot {
        file: place.file,
        line: place.line,
    }
}
