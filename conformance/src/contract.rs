//! The document under test with its compiled schemas, and the places that findings name.

use serde::Serialize;
use spec::document::{Document, Located, ResolveError};
use spec::grammar::{Kind, is_reference, walk};
use spec::schema::Schemas;
use spec::{Diagnostic, Diagnostics, Node, Pointer, SourceMap, Span};

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
}

/// Every reference of a document that leads nowhere, or back to itself.
pub fn broken_references(document: &Document) -> Diagnostics {
    let mut diagnostics = Diagnostics::default();
    let mut pointer = Pointer::root();
    walk(
        &document.root,
        Kind::Document,
        &mut pointer,
        &mut |node, kind, pointer| {
            if is_reference(node, kind) {
                let located = Located {
                    node,
                    pointer: pointer.clone(),
                };
                if let Err(error) = document.resolve(&located) {
                    let (rule, span) = match &error {
                        ResolveError::Nowhere { span, .. } => ("unresolved-reference", *span),
                        ResolveError::Cycle { span, .. } => ("cyclic-reference", *span),
                    };
                    diagnostics.push(Diagnostic::error(rule, error.to_string()).at(span, "here"));
                }
            }
            true
        },
    );
    diagnostics.sort();
    diagnostics
}

/// The line a span begins on.
pub fn spot(sources: &SourceMap, span: Span) -> Spot {
    let place = sources.place(span);
    Spot {
        file: place.file,
        line: place.line,
    }
}
