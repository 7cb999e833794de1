//! Which outcome a call has: the first that asks for one decides.
//!
//! The call itself, the transaction, the card, the customer's name, the script, acceptance.

use super::{Failure, Work, scenarios};
use crate::domain::outcome::Outcome;

/// What a call that creates asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// What the call or the transaction says outright.
    pub outright: Option<Outcome>,
    /// What the name of the customer stands for.
    pub by_name: Option<Outcome>,
}

/// A call whose outcome may stand in the script.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    /// The id of its operation.
    pub(super) operation: &'static str,
    /// The channel of its transaction.
    pub(super) channel: Option<&'a str>,
}

impl Wishes {
    /// Nothing but this outcome.
    pub const fn outright(outcome: Outcome) -> Self {
        Self {
            outright: Some(outcome),
            by_name: None,
        }
    }

    /// The outcome of a call that creates, with a card that has one of its own or not.
    pub(super) fn decide(
        self,
        work: &Work<'_>,
        card: Option<Outcome>,
        call: Call<'_>,
    ) -> Result<Outcome, Failure> {
        match self.outright.or(card).or(self.by_name) {
            Some(outcome) => Ok(outcome),
            None => call.scripted(work),
        }
    }
}

impl Call<'_> {
    /// The outcome of a call on a transaction that was made before.
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

    /// The next outcome that the script has for such a call, which it then has no longer; acceptance
    /// when it has none.
    fn scripted(self, work: &Work<'_>) -> Result<Outcome, Failure> {
        let scripted = scenarios::next(work, self.operation, self.channel)?;
        Ok(scripted.unwrap_or(Outcome::ACCEPT))
    }
}
