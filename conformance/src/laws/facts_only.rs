//! Laws without rules of their law file: their cases only report trials of facts.

use crate::model::Call;
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

/// Tests nothing in addition to the facts.
pub(super) fn run<'d>(
    _: &mut Scene<'_, 'd>,
    _: &Call<'d>,
    _: &mut Draft,
) -> std::future::Ready<Tried> {
    std::future::ready(Ok(false))
}
