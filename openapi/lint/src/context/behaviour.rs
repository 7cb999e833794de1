//! Subject: the input of rules on behaviour files.

use openapi_document::behaviour::Behaviour;
use openapi_document::source::Span;
use openapi_document::view::Document;

/// A behaviour file and its document.
#[derive(Debug)]
pub(crate) struct Subject<'d> {
    pub(crate) behaviour: &'d Behaviour,
    pub(crate) document: &'d Document,
}

impl Subject<'_> {
    /// The place for findings about missing entries: the last natural key, else the first name in
    /// the file.
    pub(crate) fn anchor(&self) -> Span {
        let keys = self.behaviour.natural_keys.iter().rev();
        let mut words = keys.map(|key| &key.operation);
        let first = self.behaviour.records.iter().map(|record| &record.name);
        let first = first.chain(self.behaviour.actors.iter().map(|actor| &actor.name));
        let word = words.next().or_else(|| first.into_iter().next());
        word.map_or_else(|| self.behaviour.sources.beginning(), |word| word.span)
    }
}
