//! Changes the expiry date of a saved card.

use jiff::Timestamp;

use super::expiry::{Expiry, ExpiryError};
use super::{Code, Rejection};

/// The new expiry date in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpiryChange {
    /// `MMYY`, at `/expiryDate`.
    Whole(String),
    /// The month at `/expMonth` and the year at `/expYear`; an absent part keeps its value.
    Parts {
        /// Two digits.
        month: Option<String>,
        /// Four digits.
        year: Option<String>,
    },
}

impl ExpiryChange {
    /// The new date; refused when it is invalid or in the past.
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

    /// Checks each part that can be checked without the card.
    pub fn check(&self) -> impl Iterator<Item = Rejection> {
        let (month, year) = match self {
            Self::Whole(_) => (None, None),
            Self::Parts { month, year } => (month.as_deref(), year.as_deref()),
        };
        // Each part is checked with a valid value for the other part.
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
