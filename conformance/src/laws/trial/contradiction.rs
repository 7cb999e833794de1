//! Contradiction: what a property of an answer is, and what a text says that it is instead. Pure.

use openapi_document::Pointer;

use crate::checks::Check;

/// What a property of an answer is not, though a text says so.
#[derive(Debug)]
pub(crate) struct Contradiction {
    /// What finds it.
    pub(crate) check: &'static Check,
    /// Where it stands.
    pub(crate) pointer: Pointer,
    /// What is said.
    pub(crate) due: String,
    /// What is told.
    pub(crate) told: String,
}
