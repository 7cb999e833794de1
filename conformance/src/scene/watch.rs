//! Watch: rules for every answer of a run, whichever case it belongs to.

use openapi_document::{Node, Pointer};

use super::basis::Basis;
use crate::checks::Check;
use crate::model::Call;

/// A rule that an answer breaks.
#[derive(Debug)]
pub(crate) struct Breach {
    /// The check that finds it.
    pub(crate) check: &'static Check,
    /// The part of the contract that it rests on.
    pub(crate) basis: Basis,
    /// The place in the body.
    pub(crate) pointer: Pointer,
    /// The expected value.
    pub(crate) expected: String,
    /// The actual value.
    pub(crate) actual: String,
}

/// Checks every answer.
pub(crate) trait Watch<'d> {
    /// The first rule for every answer of the operation that the body of a success breaks. A whole list leaves out no
    /// item between others.
    fn breach(&self, call: &Call<'d>, body: &Node, is_whole: bool) -> Option<Breach>;

    /// Whether the service limits how many records an operation creates.
    fn is_limited(&self, call: &Call<'d>) -> bool;
}
