//! The table of faults, one file for each class.

use crate::support::shop::Fault;

mod head;
mod refusal;
mod shape;
mod state;

/// The description, the fault, the check that finds it, and the end of the id of the case that
/// finds it.
pub(crate) type Row = (&'static str, Fault, &'static str, &'static str);

/// All rows.
pub(crate) fn caught() -> Vec<Row> {
    [shape::ROWS, head::ROWS, refusal::ROWS, state::ROWS].concat()
}
