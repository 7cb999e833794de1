//! Loads a transaction with all records that its answer shows.

use super::redirect_page::{PATH, Page};
use super::{Failure, Work};
use crate::domain::authentication::Authentication;
use crate::domain::state::Kind;
use crate::render::View;
use crate::store::{self, Record};

impl View {
    /// The view of a transaction that was just created.
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
}

/// The address of the page on which the customer answers a challenge.
fn redirect(work: &Work<'_>, record: &Record) -> Option<String> {
    let authentication = record.transaction.authentication.as_ref();
    let challenge = authentication.and_then(Authentication::challenge)?;
    let page = Page {
        merchant: work.merchant,
        nonce: challenge.page,
    };
    Some(format!("{}{}{page}", work.address, PATH))
}
