//! Turns: which of the ways that are left is tried next, by what the last one was answered.

use std::collections::BTreeSet;

use crate::recipe::{BodySize, Recipe};

/// Refused for want of a content type.
const NO_TYPE: u16 = 415;

/// What was tried, and what came of it.
#[derive(Default)]
pub(super) struct Turns<'w> {
    /// The changes before the call that were tried.
    changes: BTreeSet<&'w [String]>,
    /// Whether the last way was refused for the state of its record.
    pub(super) is_of_state: bool,
    /// The status with which the last request was refused.
    refused: Option<u16>,
    /// Whether a body with what it has to have, and no more, was tried for that.
    is_lean: bool,
    /// Whether a request without a body was refused for want of a content type.
    is_of_type: bool,
}

impl<'w> Turns<'w> {
    /// Notes the status with which the last way was refused.
    pub(super) fn refused(&mut self, status: u16) {
        self.is_of_state = status == 409;
        self.refused = Some(status);
        self.is_of_type |= status == NO_TYPE;
    }

    /// The next way and its place, which are left no more.
    pub(super) fn next<'d: 'w>(
        &mut self,
        left: &mut Vec<usize>,
        way: impl Fn(usize) -> Option<&'w Recipe<'d>>,
    ) -> Option<(usize, &'w Recipe<'d>)> {
        loop {
            let found = |is_meant: &dyn Fn(&Recipe<'d>) -> bool| {
                let mut all = left.iter();
                all.position(|own| way(*own).is_some_and(is_meant))
            };
            // A refusal of the state asks for another state first, any other for another request.
            let other = || found(&|own| !self.changes.contains(&own.changes[..]));
            let other = self.is_of_state.then(other).flatten();
            let is_of_body = matches!(self.refused, Some(400 | 422));
            let lean = || found(&|own| own.size == BodySize::Required);
            let lean = (is_of_body && !self.is_lean).then(lean).flatten();
            let typed = || found(&|own| own.size == BodySize::Empty);
            let typed = self.is_of_type.then(typed).flatten();
            if left.is_empty() {
                return None;
            }
            let index = left.remove(typed.or(other).or(lean).unwrap_or_default());
            let Some(next) = way(index) else { continue };
            if next.size == BodySize::Empty && !self.is_of_type {
                continue;
            }
            self.is_lean |= next.size == BodySize::Required;
            self.changes.insert(&next.changes);
            return Some((index, next));
        }
    }
}
