//! Outcome: what a step was answered, and what was found in that.

use crate::exchange::Exchange;
use crate::judge::Difference;

/// The result of a step.
pub(super) struct Outcome {
    pub(super) differences: Vec<Difference>,
    /// The exchange that later steps build on.
    pub(super) exchange: Option<Exchange>,
}

impl Outcome {
    /// Whether later steps cannot build on it. A step whose answer only looks wrong still counts as done.
    pub(super) fn has_failed(&self) -> bool {
        let exchange = self.exchange.as_ref();
        let is_answered = exchange.is_some_and(|exchange| exchange.outcome.is_ok());
        let mut differences = self.differences.iter();
        !is_answered || differences.any(|difference| difference.check.breaks_the_step())
    }
}
