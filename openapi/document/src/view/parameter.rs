//! Parameter: a parameter of an operation.

use super::example::examples;
use super::media_type::media_types;
use super::{Document, Example, Located, MediaType};
use crate::node::Node;

/// Where a request carries a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "these are words of the specification")]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

impl Location {
    /// Parses the value of `in`.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "path" => Self::Path,
            "query" => Self::Query,
            "header" => Self::Header,
            "cookie" => Self::Cookie,
            _ => return None,
        })
    }

    /// The value of `in`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// One parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter<'d> {
    pub(super) document: &'d Document,
    /// Its name in requests.
    pub name: &'d str,
    /// Where a request carries it.
    pub location: Location,
    /// The parameter in the operation: a `$ref`, possibly with `x-` siblings, or the object.
    pub raw: Located<'d>,
    /// The parameter object.
    pub at: Located<'d>,
}

impl<'d> Parameter<'d> {
    pub(super) fn read(document: &'d Document, raw: Located<'d>) -> Option<Self> {
        let at = document.resolve_or_none(&raw)?;
        let name = at.node.get("name")?.as_str()?;
        let location = Location::parse(at.node.get("in")?.as_str()?)?;
        Some(Self {
            document,
            name,
            location,
            raw,
            at,
        })
    }

    /// Whether the client must send it.
    pub fn required(&self) -> bool {
        self.at
            .node
            .get("required")
            .and_then(Node::as_bool)
            .unwrap_or(false)
    }

    /// Its schema, or that of its media type under `content`; references are not followed. If there
    /// are several media types, which the specification forbids, JSON wins.
    pub fn schema(&self) -> Option<Located<'d>> {
        let content = || {
            let rank = |one: &MediaType<'d>| (!one.is_json(), one.name);
            self.content().into_iter().min_by_key(rank)?.schema()
        };
        self.at.get("schema").or_else(content)
    }

    /// The media types under `content`, which replaces `schema`.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }

    /// Its `style`, or the default of its location.
    pub fn style(&self) -> &'d str {
        let default = match self.location {
            Location::Path | Location::Header => "simple",
            Location::Query | Location::Cookie => "form",
        };
        self.at
            .node
            .get("style")
            .and_then(Node::as_str)
            .unwrap_or(default)
    }

    /// Its `explode`, or the default of its style.
    pub fn explode(&self) -> bool {
        let default = self.style() == "form";
        self.at
            .node
            .get("explode")
            .and_then(Node::as_bool)
            .unwrap_or(default)
    }

    /// Its examples by key; a single `example` has the key `example`.
    pub fn examples(&self) -> Vec<Example<'d>> {
        examples(self.document, &self.at)
    }
}
