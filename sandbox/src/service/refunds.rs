//! Refunds: create.

use uuid::Uuid;

use super::apply::insert_refund;
use super::outcome::Call;
use super::{Answer, Caller, Failure, Service, Submission, Target, Work};
use crate::details::TransactionDetails;
use crate::domain::amount::Wanted;
use crate::domain::outcome::Outcome;
use crate::domain::refund;
use crate::render::View;
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
    /// What describes the transaction.
    pub details: Box<TransactionDetails>,
}

impl Service {
    /// Makes a refund, or answers as it did when it made it.
    pub async fn create_refund(
        &self,
        caller: impl Into<Caller>,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let (caller, id) = (caller.into(), Uuid::now_v7());
        self.command(submission.merchant, move |work| {
            caller.create(work, || {
                submission.once(work, Collection::Transactions, |key| {
                    command.make(work, id, key)
                })
            })
        })
        .await
    }
}

impl Create {
    fn make(&self, work: &Work<'_>, id: Uuid, key: String) -> Result<View, Failure> {
        let command = self.clone();
        let before = Target::Id(command.purchase).load(work, Collection::Transactions)?;
        let purchase = before.transaction.clone();
        let planned = purchase.planned.refund.clone();
        let call = Call {
            operation: "createRefund",
            channel: purchase.payment_channel.as_deref(),
        };
        let outcome = call.decide(work, command.outcome, planned)?;
        let wish = refund::Create {
            id,
            merchant_transaction_id: key,
            origin_merchant_transaction_id: command.origin_merchant_transaction_id,
            amount: command.amount,
        };
        let made = refund::create(purchase, wish, outcome, work.now)?;
        insert_refund(work, &before, made, command.details)
    }
}
