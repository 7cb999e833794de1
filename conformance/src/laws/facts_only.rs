//! A law whose cases report trials of facts, and nothing else.

use crate::model::Call;
use crate::scene::Scene;
use crate::scene::draft::{Draft, Tried};

/// Has nothing to try beside the facts.
pub(super) fn run<'d>(
    _: &mut Scene<'_, '_, '_, 'd>,
    _: &Call<'d>,
    _: &mut Draft,
) -> std::future::Ready<Tried> {
    std::future::ready(Ok(false))
}
