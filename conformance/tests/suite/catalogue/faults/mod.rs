//! The table of the catalogue: a file for each class of faults.

use crate::support::shop::Fault;

mod head;
mod refusal;
mod shape;
mod state;

/// What is wrong, the fault, the check that finds it, and the end of the id of the case that it is found in.
pub(crate) type Row = (&'static str, Fault, &'static str, &'static str);

/// All of them.
pub(crate) fn caught() -> Vec<Row> {
    [shape::ROWS, head::ROWS, refusal::ROWS, state::ROWS].concat()
}
