//! Whether it is the customer who pays: asked of them, or known without asking.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use uuid::Uuid;

use super::outcome::{Final, OutcomeError};

/// How long the customer has for an answer.
pub const LIFETIME: SignedDuration = SignedDuration::from_mins(15);

/// What came, or has to come, of the customer's authentication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// The customer was sent to a page and has not answered.
    Asked(Challenge),
    /// The issuer knew the customer without asking.
    Frictionless,
    /// The customer proved who they are.
    Passed,
    /// The customer did not.
    Failed,
    /// The customer never answered.
    Abandoned,
}

/// A question to the customer that is open.
#[derive(Clone, PartialEq, Eq)]
pub struct Challenge {
    /// Names the page on which it can be answered, once.
    pub page: Uuid,
    /// The provider's answer after that of the customer.
    pub then: Final,
}

/// What the customer does on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Proves who they are.
    Approve,
    /// Says that they do not want to pay, or cannot prove who they are.
    Decline,
    /// Lets the time run out.
    TimeOut,
}

impl Authentication {
    /// The open question, if there is one.
    pub const fn challenge(&self) -> Option<&Challenge> {
        match self {
            Self::Asked(challenge) => Some(challenge),
            _ => None,
        }
    }

    /// What is kept beside the page of an open question; [`Authentication::read`] takes both.
    pub fn state(&self) -> String {
        match self {
            Self::Asked(challenge) => format!("asked;then={}", challenge.then),
            Self::Frictionless => "frictionless".to_owned(),
            Self::Passed => "passed".to_owned(),
            Self::Failed => "failed".to_owned(),
            Self::Abandoned => "abandoned".to_owned(),
        }
    }

    /// Reads what was kept; `None` when it is damaged.
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

/// Whoever has the page can answer: it is not shown.
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
    fn what_is_kept_reads_back() {
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
    fn the_page_is_not_shown() {
        let page = Uuid::from_u128(0x1234_5678_9abc);
        let then = Final::Accept;
        let shown = format!("{:?}", Authentication::Asked(Challenge { page, then }));
        assert!(!shown.contains("123456789abc"), "{shown}");
    }
}
