//! Response: a documented response of an operation.

use super::media_type::media_types;
use super::{Document, Located, MediaType, Status};
use crate::node::Entry;
use crate::provenance::{Level, Provenance};
use crate::source::Span;

/// One documented response of an operation.
#[derive(Debug, Clone)]
pub struct Response<'d> {
    pub(super) document: &'d Document,
    /// The documented status.
    pub status: Status,
    /// The place of its status key.
    pub key_span: Span,
    /// The response in the operation: a `$ref`, possibly with `x-` siblings, or the object.
    pub raw: Located<'d>,
    /// The response object.
    pub at: Located<'d>,
}

impl<'d> Response<'d> {
    /// Its media types in document order.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }

    /// Its headers: name and header object, with references followed.
    pub fn headers(&self) -> Vec<(&'d str, Located<'d>)> {
        let Some(headers) = self.at.get("headers") else {
            return Vec::new();
        };
        let read = |(entry, raw): (&'d Entry, Located<'d>)| {
            Some((entry.key.as_str(), self.document.resolve_or_none(&raw)?))
        };
        headers.entries().filter_map(read).collect()
    }

    /// The provenance level of the response: beside the `$ref`, else in the response object, else
    /// that of the operation.
    pub fn level(&self, of_operation: Level) -> Level {
        Provenance::of(self.raw.node)
            .or_else(|| Provenance::of(self.at.node))
            .map_or(of_operation, |provenance| provenance.level)
    }
}
