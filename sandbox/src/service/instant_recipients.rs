//! Recipients of instant transfers: add, list, read and remove.

use uuid::Uuid;

use super::customers::{known, locked, removed};
use super::{Failure, Service};
use crate::details::InstantRecipientDetails;
use crate::domain::Rejection;
use crate::domain::page::Page;
use crate::store::Merchant;
use crate::store::instant_recipients::{self, InstantRecipient};

/// A request to add a recipient.
#[derive(Clone, Debug)]
pub struct Add {
    /// Its name.
    pub name: String,
    /// The currency of the wallet.
    pub currency: String,
    /// The kind of identifier of the wallet.
    pub proxy_type: String,
    /// The identifier of the wallet.
    pub proxy_value: String,
    /// Descriptive fields.
    pub details: InstantRecipientDetails,
}

impl Service {
    /// Adds a recipient, or updates the one with the same wallet.
    pub async fn add_instant_recipient(
        &self,
        merchant: Merchant,
        customer: String,
        add: Add,
    ) -> Result<InstantRecipient, Failure> {
        let id = Uuid::now_v7();
        self.command(merchant, move |work| {
            let add = add.clone();
            let recipient = InstantRecipient {
                id,
                customer: locked(work, &customer)?.id,
                name: add.name,
                currency: add.currency,
                proxy_type: add.proxy_type,
                proxy_value: add.proxy_value,
                details: add.details,
                created_at: work.now,
                updated_at: work.now,
            };
            let (connection, tenant) = (work.connection, work.tenant);
            Ok(instant_recipients::put(connection, tenant, &recipient)?)
        })
        .await
    }

    /// A page of the recipients of a customer.
    pub async fn instant_recipients(
        &self,
        merchant: Merchant,
        customer: String,
        page: Page,
    ) -> Result<Vec<InstantRecipient>, Failure> {
        self.read(merchant, move |work| {
            let customer = known(work, &customer)?.id;
            let (connection, tenant) = (work.connection, work.tenant);
            Ok(instant_recipients::list(
                connection, tenant, customer, &page,
            )?)
        })
        .await
    }

    /// A recipient of a customer.
    pub async fn instant_recipient(
        &self,
        merchant: Merchant,
        customer: String,
        id: Uuid,
    ) -> Result<InstantRecipient, Failure> {
        self.read(merchant, move |work| {
            let customer = known(work, &customer)?.id;
            let found = instant_recipients::find(work.connection, work.tenant, customer, id)?;
            found.ok_or_else(|| Rejection::unknown("recipient").into())
        })
        .await
    }

    /// Removes a recipient of a customer.
    pub async fn remove_instant_recipient(
        &self,
        merchant: Merchant,
        customer: String,
        id: Uuid,
    ) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let customer = locked(work, &customer)?.id;
            let was_there = instant_recipients::remove(work.connection, work.tenant, customer, id)?;
            removed(was_there, "recipient")
        })
        .await
    }
}
