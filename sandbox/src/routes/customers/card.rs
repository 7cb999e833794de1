//! What every kind of saved card has in common.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::card::Card;
use crate::domain::expiry::Expiry;
use crate::domain::scheme::Schemes;
use crate::domain::{Code, Rejection};
use crate::service::{Failure, Work};
use crate::store::StoreError;

/// The name of a card to which the customer gives none.
pub fn usual_name(card: &Card) -> String {
    let scheme = Schemes::seeded().named(&card.organization);
    let brand = scheme.map_or("card", |scheme| &scheme.brand);
    format!("{brand} {}", card.last4)
}

/// A date of expiry that a card can get: not one that is past.
pub(super) fn future(expiry: Expiry, pointer: &str, work: &Work<'_>) -> Result<Expiry, Rejection> {
    if expiry.is_past(work.now) {
        return Err(Rejection::at(Code::ContractViolation, pointer, "is past"));
    }
    Ok(expiry)
}

/// Descriptive fields as they are kept.
pub(super) fn text(details: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string(details).map_err(|_| StoreError::Corrupt("details"))?;
    Ok(text)
}

/// Descriptive fields as they were.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    let details = serde_json::from_str(text).map_err(|_| StoreError::Corrupt("details"))?;
    Ok(details)
}
