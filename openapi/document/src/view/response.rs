//! Documented responses.

use super::media_type::media_types;
use super::{Document, Located, MediaType, Status};
use crate::node::Entry;
use crate::provenance::{Level, Provenance};
use crate::source::Span;

/// One documented response of an operation.
#[derive(Debug, Clone)]
pub struct Response<'d> {
    pub(super) document: &'d Document,
    /// The status it is documented for.
    pub status: Status,
    /// Where its status stands.
    pub key_span: Span,
    /// As it stands in the operation: maybe a `$ref` with `x-` siblings.
    pub raw: Located<'d>,
    /// The response object.
    pub at: Located<'d>,
}

impl<'d> Response<'d> {
    /// Its media types in the order of the document.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }

    /// Its declared headers: name and header object, resolved.
    pub fn headers(&self) -> Vec<(&'d str, Located<'d>)> {
        let Some(headers) = self.at.get("headers") else {
            return Vec::new();
        };
        let read = |(entry, raw): (&'d Entry, Located<'d>)| {
            Some((entry.key.as_str(), self.document.resolve_or_none(&raw)?))
        };
        headers.entries().filter_map(read).collect()
    }

    /// How sure it is that the operation answers this status: what stands beside the `$ref`, else
    /// in the response, else what holds for the operation.
    pub fn level(&self, of_operation: Level) -> Level {
        Provenance::of(self.raw.node)
            .or_else(|| Provenance::of(self.at.node))
            .map_or(of_operation, |provenance| provenance.level)
    }
}
