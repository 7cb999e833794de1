//! Turns: selects the next recipe to try by the answer to the last one.

use std::collections::BTreeSet;

use crate::recipe::{BodySize, Recipe};

/// The status for a missing or unsupported content type.
const NO_TYPE: u16 = 415;

/// The recipes tried so far, and the answers to them.
#[derive(Default)]
pub(super) struct Turns<'w> {
    /// The changes before the call that were tried.
    changes: BTreeSet<&'w [String]>,
    /// Whether the last recipe was refused because of the state of its record.
    pub(super) is_of_state: bool,
    /// The status of the last refusal.
    refused: Option<u16>,
    /// Whether a body with required properties only was tried.
    is_lean: bool,
    /// Whether a request was refused with 415.
    is_of_type: bool,
}

impl<'w> Turns<'w> {
    /// Records the status of the last refusal.
    pub(super) fn refused(&mut self, status: u16) {
        self.is_of_state = status == 409;
        self.refused = Some(status);
        self.is_of_type |= status == NO_TYPE;
    }

    /// The next recipe with its index; removes it from `left`.
    pub(super) fn next<'d: 'w>(
        &mut self,
        left: &mut Vec<usize>,
        recipe: impl Fn(usize) -> Option<&'w Recipe<'d>>,
    ) -> Option<(usize, &'w Recipe<'d>)> {
        loop {
            let found = |is_meant: &dyn Fn(&Recipe<'d>) -> bool| {
                let mut all = left.iter();
                all.position(|item| recipe(*item).is_some_and(is_meant))
            };
            // After a 409, recipes with other changes come first; after a 400 or 422, those with a smaller body.
            let other = || found(&|item| !self.changes.contains(&item.changes[..]));
            let other = self.is_of_state.then(other).flatten();
            let is_of_body = matches!(self.refused, Some(400 | 422));
            let lean = || found(&|item| item.size == BodySize::Required);
            let lean = (is_of_body && !self.is_lean).then(lean).flatten();
            let typed = || found(&|item| item.size == BodySize::Empty);
            let typed = self.is_of_type.then(typed).flatten();
            if left.is_empty() {
                return None;
            }
            let index = left.remove(typed.or(other).or(lean).unwrap_or_default());
            let Some(next) = recipe(index) else { continue };
            if next.size == BodySize::Empty && !self.is_of_type {
                continue;
            }
            self.is_lean |= next.size == BodySize::Required;
            self.changes.insert(&next.changes);
            return Some((index, next));
        }
    }
}
