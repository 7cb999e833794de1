//! The table of the catalogue: a file for each class of faults.

use crate::shop::Fault;

mod head;
mod missed;
mod refusal;
mod shape;
mod state;

/// What is wrong, the fault, the check that finds it, and the end of the id of the case that it is found in.
pub(crate) type Row = (&'static str, Fault, &'static str, &'static str);

/// What is caught.
pub(crate) fn caught() -> Vec<Row> {
    [shape::ROWS, head::ROWS, refusal::ROWS, state::ROWS].concat()
}

/// What is not caught yet: the law that is to catch it stands in the place of the check, and the operation
/// that has the fault in that of the case.
pub(crate) const MISSED: &[Row] = missed::ROWS;
