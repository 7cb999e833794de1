//! Validation of values against the schemas of a document.

use crate::document::{Document, Located};
use crate::node::Node;
use crate::pointer::Pointer;

/// Every schema of a document, compiled when first asked for.
pub struct Schemas {
    _private: (),
}

/// One way in which a value breaks its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where in the value.
    pub instance: Pointer,
    /// The keyword that is broken, such as `required` or `format`.
    pub keyword: String,
    /// Where that keyword stands in the bundle (through references, the final place).
    pub schema: Pointer,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl Schemas {
    /// Prepares all schemas of a document. Nothing is compiled yet.
    pub fn new(_document: &Document) -> Self {
        Self { _private: () }
    }

    /// All ways in which a value breaks the schema at a place of the document.
    ///
    /// # Errors
    /// The schema itself cannot be compiled; says why.
    pub fn validate(&self, _schema: &Located<'_>, _value: &Node) -> Result<Vec<Violation>, String> {
        Ok(Vec::new())
    }
}
