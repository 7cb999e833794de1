//! Comparison: compares pairs of schemas keyword by keyword.

use super::pair::{Comparing, Pairs};
use super::{alternatives, annotations, applied, bounds, discriminator, objects, scalars, values};

/// Compares all entered pairs, and the pairs that they lead to.
pub(crate) fn complete(pairs: &mut Pairs<'_>) {
    pairs.complete(compare_keywords);
}

fn compare_keywords(comparing: &mut Comparing<'_, '_>) {
    if alternatives::compare(comparing) && scalars::compare_types(comparing) {
        values::compare(comparing);
        bounds::compare(comparing);
        scalars::compare(comparing);
        objects::compare(comparing);
        applied::compare(comparing);
    }
    discriminator::compare(comparing);
    annotations::compare(comparing);
}
