//! Customer authentication: the open challenge, or its result.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use uuid::Uuid;

use super::outcome::{Final, OutcomeError};

/// How long the customer has to answer a challenge.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(15);

/// The state of the customer's authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// The customer was sent to a page and has not answered yet.
    Asked(Challenge),
    /// The issuer recognized the customer without a challenge.
    Frictionless,
    /// The customer proved who they are.
    Passed,
    /// The customer failed to prove who they are.
    Failed,
    /// The customer never answered.
    Abandoned,
}

/// An open challenge to the customer.
#[derive(Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Id of the page on which the customer can answer, once.
    pub page: Uuid,
    /// The provider's result if the customer approves.
    pub then: Final,
}

/// What the customer does on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Proves who they are.
    Approve,
    /// Declines to pay, or cannot prove who they are.
    Decline,
    /// Lets the time run out.
    TimeOut,
}

impl Authentication {
    /// The open challenge; `None` when there is none.
    pub const fn challenge(&self) -> Option<&Challenge> {
        match self {
            Self::Asked(challenge) => Some(challenge),
            _ => None,
        }
    }

    /// The text that the database stores; the page of an open challenge is stored beside it.
    /// [`Authentication::read`] parses both.
    pub fn state(&self) -> String {
        match self {
            Self::Asked(challenge) => format!("asked;then={}", challenge.then),
            Self::Frictionless => "frictionless".to_owned(),
            Self::Passed => "passed".to_owned(),
            Self::Failed => "failed".to_owned(),
            Self::Abandoned => "abandoned".to_owned(),
        }
    }

    /// Parses the stored text; `None` when it is damaged.
    pub fn read(state: &str, page: Option<Uuid>) -> Option<Self> {
        let state = match state {
            "frictionless" => Self::Frictionless,
            "passed" => Self::Passed,
            "failed" => Self::Failed,
            "abandoned" => Self::Abandoned,
            asked => {
                let then: Result<Final, OutcomeError> =
                    Final::from_str(asked.strip_prefix("asked;then=")?);
                let (page, then) = (page?, then.ok()?);
                Self::Asked(Challenge { page, then })
            }
        };
        Some(state)
    }
}

/// Hides the page, because anyone who knows it can answer.
impl fmt::Debug for Challenge {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Challenge")
            .field("then", &self.then)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::outcome::RejectCode;

    #[test]
    fn a_stored_authentication_reads_back() {
        let page = Uuid::from_u128(7);
        let then = Final::Reject(RejectCode::default());
        let table = [
            Authentication::Asked(Challenge { page, then }),
            Authentication::Frictionless,
            Authentication::Passed,
            Authentication::Failed,
            Authentication::Abandoned,
        ];
        for authentication in table {
            let page = authentication.challenge().map(|challenge| challenge.page);
            let read = Authentication::read(&authentication.state(), page);
            assert_eq!(read, Some(authentication));
        }
        assert_eq!(Authentication::read("asked;then=accept", None), None);
        assert_eq!(Authentication::read("asked;then=later", Some(page)), None);
        assert_eq!(Authentication::read("", Some(page)), None);
    }

    #[test]
    fn debug_output_hides_the_page() {
        let page = Uuid::from_u128(0x1234_5678_9abc);
        let then = Final::Accept;
        let shown = format!("{:?}", Authentication::Asked(Challenge { page, then }));
        assert!(!shown.contains("123456789abc"), "{shown}");
    }
}
