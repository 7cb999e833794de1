//! Findings of a comparison.

use super::rule::{Level, Rule};
use openapi_document::pointer::Pointer;
use openapi_document::source::Span;

/// One change for those who use the contract.
#[derive(Debug, Clone)]
pub struct Change {
    /// What kind of change it is.
    pub rule: &'static Rule,
    /// How much it weighs here, after provenance and stability.
    pub level: Level,
    /// The operation, where it is one, as `POST /v1/transactions`, with the path of the revision where it is there;
    /// that of a callback as `POST /v1/transactions callback done POST {$request.body#/url}`.
    pub operation: Option<String>,
    /// What changed inside it, as `request body application/json /amount`; where several operations are
    /// reached, the part. Neither lines nor prose stand in it.
    pub subject: String,
    /// The part that changed, where it is one that operations may share, as `schema Card /number`: a
    /// component, or what stands beside the operations of a path.
    pub shared: Option<String>,
    /// The values that changed, as `10 → 5`; with rule and shared part, or else operation and subject, it
    /// tells this change from all others.
    pub detail: String,
    /// Where it is felt: one or more, in the order of the document.
    pub reach: Vec<Reach>,
    /// What happened, in a short sentence without a full stop.
    pub title: String,
    /// Where that stands in the base; of what is new the nearest enclosing part that was there.
    pub base: Option<Spot>,
    /// Where that stands in the revision; of what is gone the nearest enclosing part that is left.
    pub revision: Option<Spot>,
    /// What to do.
    pub help: Option<String>,
}

/// Where a change is felt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// The operation.
    pub operation: Option<String>,
    /// What changed inside it, as `request body application/json /amount`. Neither lines nor prose
    /// stand in it, and no name of a component: it stays what it is when the document is rewritten.
    pub subject: String,
}

/// A place in one of the two documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The pointer into the bundled document, or into the behaviour file.
    pub pointer: Pointer,
    /// Where it stands in a source of that document, or in the behaviour file.
    pub span: Span,
    /// Whether it is a place of the behaviour file.
    pub in_behaviour: bool,
    /// What to say of it, in a few words.
    pub label: String,
}
