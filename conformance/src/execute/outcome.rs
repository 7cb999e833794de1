//! Outcome: the answer to a step and its differences.

use crate::exchange::Exchange;
use crate::judge::Difference;

/// The result of a step.
pub(super) struct Outcome {
    pub(super) differences: Vec<Difference>,
    /// The exchange that later steps use.
    pub(super) exchange: Option<Exchange>,
}

impl Outcome {
    /// Whether later steps cannot continue after it. An answer with a wrong form does not stop
    /// them.
    pub(super) fn has_failed(&self) -> bool {
        let exchange = self.exchange.as_ref();
        let is_answered = exchange.is_some_and(|exchange| exchange.outcome.is_ok());
        let mut differences = self.differences.iter();
        !is_answered || differences.any(|difference| difference.check.breaks_the_step())
    }
}
