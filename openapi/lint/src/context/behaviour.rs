//! What the rules on behaviour look at.

use openapi_document::behaviour::Behaviour;
use openapi_document::source::Span;
use openapi_document::view::Document;

/// A behaviour file and the document beside it.
#[derive(Debug)]
pub(crate) struct Subject<'d> {
    pub(crate) behaviour: &'d Behaviour,
    pub(crate) document: &'d Document,
}

impl Subject<'_> {
    /// Where the file could say more: at the last of its natural keys, or where it begins.
    pub(crate) fn anchor(&self) -> Span {
        let keys = self.behaviour.natural_keys.iter().rev();
        let mut words = keys.map(|key| &key.operation);
        let first = self.behaviour.records.iter().map(|record| &record.name);
        let first = first.chain(self.behaviour.actors.iter().map(|actor| &actor.name));
        let word = words.next().or_else(|| first.into_iter().next());
        word.map_or_else(|| self.behaviour.sources.beginning(), |word| word.span)
    }
}
