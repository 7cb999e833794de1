//! A transaction with all records that its answer shows.

use jiff::Timestamp;

use crate::domain::actions::{self, Actions};
use crate::domain::offer::Offer;
use crate::store::Record;

/// A transaction at a point in time.
#[derive(Clone, Debug)]
pub struct View {
    /// The transaction.
    pub record: Record,
    /// Its refunds, oldest first.
    pub refunds: Vec<Record>,
    /// Its latest offers.
    pub offers: Vec<Offer>,
    /// The page of the open challenge.
    pub redirect: Option<String>,
    /// The point in time.
    pub now: Timestamp,
}

impl View {
    /// The actions that the transaction allows at that time.
    pub fn actions(&self) -> Actions {
        actions::actions(&self.record.transaction, &self.offers, self.now)
    }
}
