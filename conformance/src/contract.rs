//! The document under test with its compiled schemas, and the places that findings name.

use serde::Serialize;
use spec::document::{Document, Located};
use spec::schema::Schemas;
use spec::{Node, Pointer, SourceMap, Span};

/// A document and what is derived from it once per run.
#[derive(Debug)]
pub struct Contract<'d> {
    /// The document.
    pub document: &'d Document,
    /// Its schemas.
    pub schemas: Schemas,
}

/// A line of a source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Spot {
    /// The file's path.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl std::fmt::Display for Spot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl<'d> Contract<'d> {
    /// Prepares the schemas; none is compiled yet.
    pub fn new(document: &'d Document) -> Self {
        Self {
            document,
            schemas: Schemas::new(document),
        }
    }

    /// The line a span of the document begins on.
    pub fn spot(&self, span: Span) -> Spot {
        spot(&self.document.sources, span)
    }

    /// The line of a node of the document.
    pub fn spot_of(&self, node: &Node) -> Spot {
        self.spot(node.span)
    }

    /// The line of what a pointer into the bundle leads to.
    pub fn spot_at(&self, pointer: &Pointer) -> Option<Spot> {
        Some(self.spot_of(self.document.lookup(pointer)?.node))
    }

    /// Follows references; what leads nowhere stays as it is.
    pub fn resolve(&self, from: &Located<'d>) -> Located<'d> {
        self.document.resolve(from).unwrap_or_else(|_| from.clone())
    }
}

/// The line a span begins on.
pub fn spot(sources: &SourceMap, span: Span) -> Spot {
    let place = sources.place(span);
    Spot {
        file: place.file,
        line: place.line,
    }
}
