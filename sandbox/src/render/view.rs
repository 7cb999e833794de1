//! A transaction with all that its answer shows.

use jiff::Timestamp;

use crate::domain::actions::{self, Actions};
use crate::domain::offer::Offer;
use crate::store::Record;

/// A transaction at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The transaction.
    pub record: Record,
    /// Its refunds, oldest first.
    pub refunds: Vec<Record>,
    /// Its latest offers.
    pub offers: Vec<Offer>,
    /// Where the customer has to be sent, as long as they are asked.
    pub redirect: Option<String>,
    /// The moment.
    pub now: Timestamp,
}

impl View {
    /// What can be done with the transaction at that moment.
    pub fn actions(&self) -> Actions {
        actions::actions(&self.record.transaction, &self.offers, self.now)
    }
}
