//! Change: a finding of a comparison.

use super::rule::{Level, Rule};
use openapi_document::pointer::Pointer;
use openapi_document::source::Span;

/// One change that matters to users of the contract.
#[derive(Debug, Clone)]
pub struct Change {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// The level, after provenance and stability are applied.
    pub level: Level,
    /// The operation, such as `POST /v1/transactions`, with the path of the revision if it exists
    /// there. A callback is `POST /v1/transactions callback done POST {$request.body#/url}`. `None`
    /// if several operations are affected, or none.
    pub operation: Option<String>,
    /// The changed part of the operation, such as `request body application/json /amount`; if
    /// several operations are affected, the shared part. It contains neither line numbers nor
    /// prose.
    pub subject: String,
    /// The changed part, if operations may share it: a component, such as `schema Card /number`, or
    /// a part of a path item.
    pub shared: Option<String>,
    /// The changed values, such as `10 → 5`. Rule, detail, and either shared part or operation with
    /// subject identify a change.
    pub detail: String,
    /// The affected operations, in document order; at least one entry.
    pub reach: Vec<Reach>,
    /// A short sentence without a full stop.
    pub title: String,
    /// The place in the base; for an added part, its nearest enclosing part there.
    pub base: Option<Spot>,
    /// The place in the revision; for a removed part, its nearest enclosing part there.
    pub revision: Option<Spot>,
    /// A hint what to do; `None` for an info.
    pub help: Option<String>,
}

/// An affected operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The operation.
    pub operation: Option<String>,
    /// The changed part of the operation, such as `request body application/json /amount`. It
    /// contains no line numbers, prose or component names, so it survives a rewritten document.
    pub subject: String,
}

/// A place in one of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The pointer into the bundled document, or into the behaviour file.
    pub pointer: Pointer,
    /// The place in a source file of the document or of the behaviour file.
    pub span: Span,
    /// Whether it is in the behaviour file.
    pub in_behaviour: bool,
    /// A short label.
    pub label: String,
}
