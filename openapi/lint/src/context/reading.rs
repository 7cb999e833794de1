//! What the rules on facts look at.

use openapi_document::behaviour::Behaviour;
use openapi_document::view::Document;
use openapi_facts::{Facts, Vocabulary};

/// A document, the behaviour file beside it, and what both say about the service.
#[derive(Debug)]
pub(crate) struct Reading<'d> {
    pub(crate) document: &'d Document,
    pub(crate) behaviour: &'d Behaviour,
    pub(crate) facts: Facts,
    pub(crate) vocabulary: Vocabulary<'d>,
}

impl<'d> Reading<'d> {
    pub(crate) fn new(document: &'d Document, behaviour: &'d Behaviour) -> Self {
        Self {
            document,
            behaviour,
            facts: openapi_facts::read(document, Some(behaviour)),
            vocabulary: Vocabulary::new(document),
        }
    }
}
