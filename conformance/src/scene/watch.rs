//! Watch: what holds of every answer, whichever trial it was sent for.

use openapi_document::{Node, Pointer};

use super::ground::Ground;
use crate::checks::Check;
use crate::model::Call;

/// What an answer breaks.
#[derive(Debug)]
pub(crate) struct Breach {
    /// The check that finds it.
    pub(crate) check: &'static Check,
    /// What it rests on.
    pub(crate) ground: Ground,
    /// Where in the body.
    pub(crate) pointer: Pointer,
    /// What should be.
    pub(crate) expected: String,
    /// What is.
    pub(crate) actual: String,
}

/// Looks at every answer.
pub(crate) trait Watch<'d> {
    /// What the body of a success breaks that holds of every answer to its operation.
    fn breach(&self, call: &Call<'d>, body: &Node) -> Option<Breach>;

    /// Whether the service limits how many records an operation creates.
    fn is_limited(&self, call: &Call<'d>) -> bool;
}
