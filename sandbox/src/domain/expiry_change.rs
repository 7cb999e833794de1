//! Another date until which a saved card is good.

use jiff::Timestamp;

use super::expiry::{Expiry, ExpiryError};
use super::{Code, Rejection};

/// What a request says of the new date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpiryChange {
    /// `MMYY`, at `/expiryDate`.
    Whole(String),
    /// The month at `/expMonth` and the year at `/expYear`; a part that is absent stays as it is.
    Parts {
        /// Two digits.
        month: Option<String>,
        /// Four digits.
        year: Option<String>,
    },
}

impl ExpiryChange {
    /// The new date, unless it is none or past.
    pub fn apply(&self, before: Option<Expiry>, now: Timestamp) -> Result<Expiry, Rejection> {
        let (expiry, pointer) = match self {
            Self::Whole(text) => {
                let pointer = "/expiryDate";
                let expiry = Expiry::parse(text).map_err(|error| refused(pointer, error))?;
                (expiry, pointer)
            }
            Self::Parts { month, year } => {
                let pointer = if year.is_some() {
                    "/expYear"
                } else {
                    "/expMonth"
                };
                let month = month.clone().or(before.map(Expiry::month));
                let year = year.clone().or(before.map(Expiry::year));
                let (month, year) = (month.unwrap_or_default(), year.unwrap_or_default());
                (Expiry::of(&month, &year).map_err(refused_part)?, pointer)
            }
        };
        if expiry.is_past(now) {
            return Err(Rejection::at(Code::ContractViolation, pointer, "is past"));
        }
        Ok(expiry)
    }

    /// What is wrong with each part, as far as that can be said without the card.
    pub fn check(&self) -> impl Iterator<Item = Rejection> {
        let (month, year) = match self {
            Self::Whole(_) => (None, None),
            Self::Parts { month, year } => (month.as_deref(), year.as_deref()),
        };
        // A month or a year that is right stands in for the one that is not looked at.
        let month = month.and_then(|month| Expiry::of(month, "2000").err());
        let year = year.and_then(|year| Expiry::of("01", year).err());
        month.into_iter().chain(year).map(refused_part)
    }
}

fn refused_part(error: ExpiryError) -> Rejection {
    let pointer = match error {
        ExpiryError::Month => "/expMonth",
        ExpiryError::Year => "/expYear",
    };
    refused(pointer, error)
}

fn refused(pointer: &str, error: ExpiryError) -> Rejection {
    Rejection::at(Code::ContractViolation, pointer, error.to_string())
}
