//! Decides the outcome of a call.
//!
//! The first source with an outcome wins: the request, the transaction, the card, the customer's
//! name, the script, acceptance.

use super::{Failure, Work, scenarios};
use crate::domain::outcome::Outcome;

/// The outcomes that a creating request contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestedOutcomes {
    /// The outcome that the request or the transaction names.
    pub explicit: Option<Outcome>,
    /// The outcome that the customer's name stands for.
    pub by_name: Option<Outcome>,
}

/// A call that a line of the script may match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    /// The id of its operation.
    pub(super) operation: &'static str,
    /// The channel of its transaction.
    pub(super) channel: Option<&'a str>,
}

impl RequestedOutcomes {
    /// Requests only this outcome.
    pub const fn explicit(outcome: Outcome) -> Self {
        Self {
            explicit: Some(outcome),
            by_name: None,
        }
    }

    /// The outcome of a creating call; `card` is the outcome that its card decides.
    pub(super) fn decide(
        self,
        work: &Work<'_>,
        card: Option<Outcome>,
        call: Call<'_>,
    ) -> Result<Outcome, Failure> {
        match self.explicit.or(card).or(self.by_name) {
            Some(outcome) => Ok(outcome),
            None => call.scripted(work),
        }
    }
}

impl Call<'_> {
    /// The outcome of a call on an existing transaction.
    pub(super) fn decide(
        self,
        work: &Work<'_>,
        asked: Option<Outcome>,
        planned: Option<Outcome>,
    ) -> Result<Outcome, Failure> {
        match asked.or(planned) {
            Some(outcome) => Ok(outcome),
            None => self.scripted(work),
        }
    }

    /// Takes the next matching outcome from the script; accepts when the script has none.
    fn scripted(self, work: &Work<'_>) -> Result<Outcome, Failure> {
        let scripted = scenarios::next(work, self.operation, self.channel)?;
        Ok(scripted.unwrap_or(Outcome::ACCEPT))
    }
}
