//! Payment tokens: list, read, remove and pay with one.

use uuid::Uuid;

use super::customers::{known, locked, removed};
use super::{Customer, Failure, Service, Work};
use crate::domain::page::Page;
use crate::domain::{Code, Rejection};
use crate::store::Merchant;
use crate::store::payment_tokens::{self, PaymentToken};

impl Service {
    /// A page of the tokens of a customer.
    pub async fn payment_tokens(
        &self,
        merchant: Merchant,
        customer: String,
        page: Page,
    ) -> Result<Vec<PaymentToken>, Failure> {
        self.read(merchant, move |work| {
            let customer = known(work, &customer)?.id;
            Ok(payment_tokens::list(
                work.connection,
                work.tenant,
                customer,
                &page,
            )?)
        })
        .await
    }

    /// A token of a customer.
    pub async fn payment_token(
        &self,
        merchant: Merchant,
        customer: String,
        token: Uuid,
    ) -> Result<PaymentToken, Failure> {
        self.read(merchant, move |work| {
            let customer = known(work, &customer)?.id;
            let found = payment_tokens::find(work.connection, work.tenant, token)?;
            let owned = found.filter(|found| found.customer == customer);
            owned.ok_or_else(|| Rejection::unknown("payment token").into())
        })
        .await
    }

    /// Removes a token of a customer; the card stays.
    pub async fn remove_payment_token(
        &self,
        merchant: Merchant,
        customer: String,
        token: Uuid,
    ) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let customer = locked(work, &customer)?.id;
            let was_there = payment_tokens::remove(work.connection, work.tenant, customer, token)?;
            removed(was_there, "payment token")
        })
        .await
    }

    /// The token of any customer with its card; `None` when there is no such token.
    pub async fn paying_token(
        &self,
        merchant: Merchant,
        token: Uuid,
    ) -> Result<Option<PaymentToken>, Failure> {
        self.read(merchant, move |work| {
            Ok(payment_tokens::find(work.connection, work.tenant, token)?)
        })
        .await
    }
}

/// The token; refused unless it exists and belongs to this customer.
pub(super) fn paying(
    work: &Work<'_>,
    token: Uuid,
    customer: &Customer,
) -> Result<PaymentToken, Failure> {
    let found = payment_tokens::find(work.connection, work.tenant, token)?;
    let owned = found.filter(|found| customer.id() == Some(found.customer));
    owned.ok_or_else(|| {
        let pointer = "/paymentSpecificData/cardToken";
        Rejection::at(Code::UnknownRecord, pointer, "no such card").into()
    })
}
