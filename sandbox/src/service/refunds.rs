//! Refunds: create.

use uuid::Uuid;

use super::apply::insert_refund;
use super::{Answer, Failure, Service, Submission, Target, Written};
use crate::domain::amount::Wanted;
use crate::domain::outcome::Outcome;
use crate::domain::refund;
use crate::store::Collection;

/// A refund to make.
#[derive(Clone, Debug)]
pub struct Create {
    /// The purchase whose money goes back.
    pub purchase: Uuid,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// How much.
    pub amount: Wanted,
    /// The provider's answer; what was planned with the purchase when absent.
    pub outcome: Option<Outcome>,
    /// Descriptive fields, a JSON object.
    pub details: String,
}

impl Service {
    /// Makes a refund, or answers as it did when it made it.
    pub async fn create_refund(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let (id, now, tenant) = (Uuid::now_v7(), self.now(), submission.tenant);
        self.command(move |connection| {
            let mut due = false;
            let value = submission.once(connection, Collection::Transactions, |key| {
                let target = Target::Id(command.purchase);
                let before = target.load(connection, tenant, Collection::Transactions)?;
                let purchase = before.transaction.clone();
                let planned = purchase.planned.refund.clone();
                let outcome = command.outcome.or(planned).unwrap_or(Outcome::ACCEPT);
                let wish = refund::Create {
                    id,
                    merchant_transaction_id: key,
                    origin_merchant_transaction_id: command.origin_merchant_transaction_id,
                    amount: command.amount,
                };
                let made = refund::create(purchase, wish, outcome, now)?;
                due = made.refund.transaction.due.is_some();
                insert_refund(connection, &before, made, command.details, now)
            })?;
            Ok(Written { value, due })
        })
        .await
    }
}
