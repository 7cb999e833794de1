//! View: a bundled document in the specification's terms, for lint, codegen and the runner.

mod callback;
mod component_index;
mod example;
mod located;
mod media_type;
mod method;
mod operation;
mod parameter;
mod request_body;
mod response;
mod status;

pub use callback::Callback;
pub use component_index::ComponentIndex;
pub use example::Example;
pub use located::Located;
pub use media_type::{MediaType, is_json};
pub use method::Method;
pub use operation::Operation;
pub use parameter::{Location, Parameter};
pub use request_body::RequestBody;
pub use response::Response;
pub use status::Status;

use std::collections::HashSet;

use crate::diagnostic::Diagnostics;
use crate::node::Node;
use crate::pointer::Pointer;
use crate::source::{Place, SourceMap, Span};

/// A document in one tree: the bundler has lifted external references into `components`.
#[derive(Debug, Clone)]
pub struct Document {
    /// The tree.
    pub root: Node,
    /// The source texts.
    pub sources: SourceMap,
    /// Findings of the loader in any of the files that did not stop it.
    pub findings: Diagnostics,
    /// The positions of the components in the tree.
    pub index: ComponentIndex,
}

/// Why a reference cannot be followed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The reference has no target in this document.
    #[error("`{reference}` leads nowhere")]
    Nowhere {
        /// The text of the `$ref`.
        reference: String,
        /// The place of the `$ref`.
        span: Span,
    },
    /// The chain of references forms a cycle.
    #[error("`{reference}` leads back to itself")]
    Cycle {
        /// The text of the `$ref`.
        reference: String,
        /// The place of the `$ref`.
        span: Span,
    },
}

/// The number of references to follow before the end of the chain is remembered.
const SHORT_CHAIN: usize = 8;

impl Document {
    /// The value of the `openapi` field.
    pub fn version(&self) -> Option<&str> {
        self.root.get("openapi")?.as_str()
    }

    /// The root with its empty pointer.
    pub fn located_root(&self) -> Located<'_> {
        Located {
            node: &self.root,
            pointer: Pointer::root(),
        }
    }

    /// The node at a pointer.
    pub fn lookup(&self, pointer: &Pointer) -> Option<Located<'_>> {
        let node = self.node(pointer)?;
        let pointer = pointer.clone();
        Some(Located { node, pointer })
    }

    fn node(&self, pointer: &Pointer) -> Option<&Node> {
        let mut segments = pointer.segments();
        let indexed = match segments.next().as_deref() {
            Some("components") => match (segments.next(), segments.next()) {
                (Some(section), Some(name)) => self.index.find(&self.root, &section, &name)?,
                _ => return self.root.at(pointer),
            },
            Some("paths") => match segments.next() {
                Some(path) => self.index.find_path(&self.root, &path)?,
                None => return self.root.at(pointer),
            },
            _ => return self.root.at(pointer),
        };
        segments.try_fold(indexed, |node, key| node.child(&key))
    }

    /// Follows a chain of `$ref`s to its end. A node without `$ref` is returned as it is.
    ///
    /// # Errors
    /// A reference of the chain has no target, or the chain forms a cycle.
    pub fn resolve<'d>(&'d self, from: &Located<'d>) -> Result<Located<'d>, ResolveError> {
        let mut here = from.clone();
        for _ in 0..SHORT_CHAIN {
            match self.follow(&here)? {
                Some(next) => here = next,
                None => return Ok(here),
            }
        }
        self.resolve_long(here)
    }

    /// Follows a long chain, and remembers its end for each place on it, because chains share their
    /// ends.
    fn resolve_long<'d>(&'d self, from: Located<'d>) -> Result<Located<'d>, ResolveError> {
        let mut here = from;
        let mut seen = HashSet::new();
        let end = loop {
            if let Some(end) = self.index.end(&here.pointer) {
                break end;
            }
            let span = reference_span(here.node);
            let reference = here.node.reference().unwrap_or_default().to_owned();
            if !seen.insert(here.pointer.clone()) {
                break Err(ResolveError::Cycle { reference, span });
            }
            match self.follow(&here) {
                Ok(Some(next)) => here = next,
                Ok(None) => break Ok(here.pointer.clone()),
                Err(error) => break Err(error),
            }
        };
        self.index.note_end(seen, &end);
        let pointer = end?;
        let nowhere = || ResolveError::Nowhere {
            reference: format!("#{pointer}"),
            span: here.node.span,
        };
        self.lookup(&pointer).ok_or_else(nowhere)
    }

    /// Follows one `$ref`; `None` for a node without one.
    ///
    /// # Errors
    /// The reference has no target.
    pub fn follow<'d>(&'d self, from: &Located<'d>) -> Result<Option<Located<'d>>, ResolveError> {
        let Some(reference) = from.node.reference() else {
            return Ok(None);
        };
        let target = reference
            .strip_prefix('#')
            .and_then(Pointer::parse_fragment)
            .and_then(|pointer| {
                let node = self.node(&pointer)?;
                Some(Located { node, pointer })
            });
        target.map(Some).ok_or_else(|| ResolveError::Nowhere {
            reference: reference.to_owned(),
            span: reference_span(from.node),
        })
    }

    /// Line and column of a node.
    pub fn place(&self, span: Span) -> Place {
        self.sources.place(span)
    }

    /// All operations under `paths`, in document order.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let Some(paths) = self.located_root().get("paths") else {
            return Vec::new();
        };
        paths
            .entries()
            .filter(|(path, _)| path.key.starts_with('/'))
            .flat_map(|(path, item)| self.operations_of(&path.key, &item))
            .collect()
    }

    /// The operations of a path item, in document order.
    fn operations_of<'d>(&'d self, path: &'d str, item: &Located<'d>) -> Vec<Operation<'d>> {
        let Ok(item) = self.resolve(item) else {
            return Vec::new();
        };
        let fixed = item
            .entries()
            .map(|(key, at)| (Method::parse(&key.key), at));
        let more = item.get("additionalOperations");
        let more = more.iter().flat_map(Located::entries);
        let more = more.map(|(key, at)| (Method::additional(&key.key), at));
        let operation = |(method, at): (Option<Method>, Located<'d>)| {
            Some(Operation {
                document: self,
                path,
                method: method?,
                item: item.clone(),
                at,
            })
        };
        fixed.chain(more).filter_map(operation).collect()
    }

    /// The operation with this `operationId`.
    pub fn operation(&self, id: &str) -> Option<Operation<'_>> {
        self.operations()
            .into_iter()
            .find(|operation| operation.id() == Some(id))
    }

    /// The objects of a section of `components`, with references not followed, in document order.
    pub fn components(&self, section: &str) -> Vec<(&str, Located<'_>)> {
        let located = self
            .located_root()
            .get("components")
            .and_then(|all| all.get(section));
        located.map_or_else(Vec::new, |section| {
            section
                .entries()
                .map(|(entry, node)| (entry.key.as_str(), node))
                .collect()
        })
    }

    pub(crate) fn resolve_or_none<'d>(&'d self, from: &Located<'d>) -> Option<Located<'d>> {
        self.resolve(from).ok()
    }
}

fn reference_span(node: &Node) -> Span {
    node.get("$ref").map_or(node.span, |target| target.span)
}
