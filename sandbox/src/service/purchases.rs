//! Purchases: create, capture, renew.

use jiff::Timestamp;
use uuid::Uuid;

use super::apply::{change, insert};
use super::{Answer, Customer, Failure, Service, Submission, Target, View, Written};
use crate::domain::Rejection;
use crate::domain::amount::Wanted;
use crate::domain::money::Money;
use crate::domain::outcome::Outcome;
use crate::domain::purchase;
use crate::domain::transaction::{Planned, Transaction, Transition};
use crate::store::{Collection, Tenant};

/// A purchase to make.
#[derive(Clone, Debug)]
pub struct Create {
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel the money takes.
    pub payment_channel: Option<String>,
    /// What the customer pays.
    pub money: Money,
    /// Hold the money first, capture it later.
    pub two_step: bool,
    /// Outcomes of later calls.
    pub planned: Planned,
    /// The provider's answer.
    pub outcome: Outcome,
    /// Who pays.
    pub customer: Customer,
    /// Descriptive fields, a JSON object.
    pub details: String,
}

impl Service {
    /// Makes a purchase, or answers as it did when it made it.
    pub async fn create_purchase(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let (id, now, tenant) = (Uuid::now_v7(), self.now(), submission.tenant);
        self.command(move |connection| {
            let mut due = false;
            let value = submission.once(connection, Collection::Transactions, |key| {
                command.customer.settle(connection, tenant)?;
                let wish = purchase::Create {
                    id,
                    merchant_transaction_id: key,
                    origin_merchant_transaction_id: command.origin_merchant_transaction_id,
                    payment_channel: command.payment_channel,
                    money: command.money,
                    two_step: command.two_step,
                    planned: command.planned,
                };
                let made = purchase::create(wish, command.outcome, now)?;
                due = made.transaction.due.is_some();
                insert(connection, tenant, made, command.details, now)
            })?;
            Ok(Written { value, due })
        })
        .await
    }

    /// Captures a purchase that is authorized: all of it, or the given amount.
    pub async fn capture_purchase(
        &self,
        tenant: Tenant,
        target: Target,
        amount: Wanted,
        outcome: Option<Outcome>,
    ) -> Result<View, Failure> {
        self.change_purchase(tenant, target, move |purchase, now| {
            let planned = purchase.planned.capture.clone();
            let outcome = outcome.or(planned).unwrap_or(Outcome::ACCEPT);
            purchase::capture(purchase, &amount, outcome, now)
        })
        .await
    }

    /// Tries the authorization of a rejected or expired purchase again.
    pub async fn renew_purchase(
        &self,
        tenant: Tenant,
        target: Target,
        outcome: Option<Outcome>,
    ) -> Result<View, Failure> {
        self.change_purchase(tenant, target, move |purchase, now| {
            let planned = purchase.planned.renew.clone();
            let outcome = outcome.or(planned).unwrap_or(Outcome::ACCEPT);
            purchase::renew(purchase, outcome, now)
        })
        .await
    }

    async fn change_purchase(
        &self,
        tenant: Tenant,
        target: Target,
        decide: impl FnOnce(Transaction, Timestamp) -> Result<Transition, Rejection> + Send + 'static,
    ) -> Result<View, Failure> {
        let now = self.now();
        self.command(move |connection| {
            let before = target.load(connection, tenant, Collection::Transactions)?;
            let after = decide(before.transaction.clone(), now)?;
            let record = change(connection, before, after, now)?;
            let due = record.transaction.due.is_some();
            Ok(Written {
                value: View::load(connection, record, now)?,
                due,
            })
        })
        .await
    }
}
