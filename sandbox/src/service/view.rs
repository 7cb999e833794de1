//! A transaction with all that its answer shows.

use jiff::Timestamp;
use rusqlite::Connection;

use super::Failure;
use crate::domain::actions::{self, Actions};
use crate::domain::offer::Offer;
use crate::domain::state::Kind;
use crate::store::{self, Record};

/// A transaction at one moment.
#[derive(Clone, Debug)]
pub struct View {
    /// The transaction.
    pub record: Record,
    /// Its refunds, oldest first.
    pub refunds: Vec<Record>,
    /// Its latest offers.
    pub offers: Vec<Offer>,
    /// The moment.
    pub now: Timestamp,
}

impl View {
    pub(super) fn load(
        connection: &Connection,
        record: Record,
        now: Timestamp,
    ) -> Result<Self, Failure> {
        let transaction = &record.transaction;
        let (mut refunds, mut offers) = (Vec::new(), Vec::new());
        match transaction.kind {
            Kind::Purchase => refunds = store::refunds_of(connection, transaction.id)?,
            Kind::Payout => {
                let currency = transaction.money.currency();
                offers = store::offers_of(connection, transaction.id, currency)?;
            }
            Kind::Refund => {}
        }
        Ok(Self {
            record,
            refunds,
            offers,
            now,
        })
    }

    /// What can be done with the transaction at that moment.
    pub fn actions(&self) -> Actions {
        actions::actions(&self.record.transaction, &self.offers, self.now)
    }
}
