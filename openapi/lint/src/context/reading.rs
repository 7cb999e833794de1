//! Reading: the input of rules on facts.

use openapi_document::behaviour::Behaviour;
use openapi_document::view::Document;
use openapi_facts::{Facts, Vocabulary};

/// A document, its behaviour file, and the facts of both.
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
