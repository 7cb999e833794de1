//! Contract: a document, and the behaviour file beside it.

use openapi_document::Behaviour;
use openapi_document::view::Document;

/// One side of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Contract<'d> {
    /// The document.
    pub document: &'d Document,
    /// The behaviour file beside it; `None` if there is none, or if it cannot be read.
    pub behaviour: Option<&'d Behaviour>,
}

impl<'d> From<&'d Document> for Contract<'d> {
    fn from(document: &'d Document) -> Self {
        Self {
            document,
            behaviour: None,
        }
    }
}
