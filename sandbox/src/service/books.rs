//! Reads the ledger and audits it.

use uuid::Uuid;

use super::{Failure, Service};
use crate::domain::money::Money;
use crate::store::audit::{self, Finding};
use crate::store::{self, Merchant, Posted};

/// The ledger of a merchant.
#[derive(Clone, Debug)]
pub struct Books {
    /// Each account with its balance.
    pub balances: Vec<(String, Money)>,
    /// The entries, latest first.
    pub entries: Vec<Posted>,
}

impl Service {
    /// All balances, and the latest entries of one transaction or of all.
    pub async fn books(
        &self,
        merchant: Merchant,
        transaction: Option<Uuid>,
        limit: u32,
    ) -> Result<Books, Failure> {
        self.read(merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            Ok(Books {
                balances: store::balances(connection, tenant)?,
                entries: store::entries(connection, tenant, transaction, limit.into())?,
            })
        })
        .await
    }

    /// Audits the whole database, with the records of all merchants.
    pub async fn audit(&self) -> Result<Vec<Finding>, Failure> {
        {
            self.store()
                .read(|connection| Ok(audit::audit(connection)?))
        }
        .await
    }
}
