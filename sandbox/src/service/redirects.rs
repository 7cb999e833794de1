//! Pages on which customers answer a challenge.

use super::apply::change;
use super::redirect_page::Page;
use super::{Failure, Service, Work};
use crate::domain::authentication::Decision;
use crate::domain::{Rejection, purchase};
use crate::render::View;
use crate::store::{self, Merchant, Record};

impl Page {
    /// The purchase whose customer answers on the page.
    fn load(self, work: &Work<'_>) -> Result<Record, Failure> {
        let record = store::by_page(work.connection, work.tenant, self.nonce)?;
        Ok(record.ok_or_else(|| Rejection::unknown("page, or it has been answered"))?)
    }
}

impl Service {
    /// The purchase of a page that waits for its customer.
    pub async fn find_redirect(&self, page: Page) -> Result<View, Failure> {
        self.known(page.merchant).await?;
        self.read(page.merchant, move |work| {
            let record = page.load(work)?;
            View::load(work, record)
        })
        .await
    }

    /// Applies the customer's answer on a page.
    pub async fn decide_redirect(&self, page: Page, decision: Decision) -> Result<View, Failure> {
        self.known(page.merchant).await?;
        self.command(page.merchant, move |work| {
            let before = page.load(work)?;
            let transaction = before.transaction.clone();
            let after = purchase::decide(transaction, page.nonce, decision, work.now)?;
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }

    /// Refuses a merchant id from outside that does not exist.
    pub(super) async fn known(&self, merchant: Merchant) -> Result<(), Failure> {
        let known = self
            .store
            .read(move |connection| store::tenants::is_known(connection, merchant))
            .await?;
        if known {
            Ok(())
        } else {
            Err(Rejection::unknown("page").into())
        }
    }
}
