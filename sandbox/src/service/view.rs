//! A transaction with all that its answer shows.

use jiff::Timestamp;

use super::redirects::{self, Page};
use super::{Failure, Work};
use crate::domain::actions::{self, Actions};
use crate::domain::authentication::Authentication;
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
    /// Where the customer has to be sent, as long as they are asked.
    pub redirect: Option<String>,
    /// The moment.
    pub now: Timestamp,
}

impl View {
    /// A transaction that was made just now.
    pub(super) fn fresh(work: &Work<'_>, record: Record) -> Self {
        Self {
            redirect: redirect(work, &record),
            record,
            refunds: Vec::new(),
            offers: Vec::new(),
            now: work.now,
        }
    }

    pub(super) fn load(work: &Work<'_>, record: Record) -> Result<Self, Failure> {
        let (connection, tenant) = (work.connection, work.tenant);
        let transaction = &record.transaction;
        let (mut refunds, mut offers) = (Vec::new(), Vec::new());
        match transaction.kind {
            Kind::Purchase => refunds = store::refunds_of(connection, tenant, transaction.id)?,
            Kind::Payout => {
                let currency = transaction.money.currency();
                offers = store::offers_of(connection, tenant, transaction.id, currency)?;
            }
            Kind::Refund => {}
        }
        Ok(Self {
            refunds,
            offers,
            ..Self::fresh(work, record)
        })
    }

    /// What can be done with the transaction at that moment.
    pub fn actions(&self) -> Actions {
        actions::actions(&self.record.transaction, &self.offers, self.now)
    }
}

/// The address of the page on which the customer is asked.
fn redirect(work: &Work<'_>, record: &Record) -> Option<String> {
    let authentication = record.transaction.authentication.as_ref();
    let challenge = authentication.and_then(Authentication::challenge)?;
    let page = Page {
        merchant: work.merchant,
        nonce: challenge.page,
    };
    Some(format!("{}{}{page}", work.address, redirects::PATH))
}
