//! Creates refunds.

use uuid::Uuid;

use super::apply::insert_refund;
use super::outcome::Call;
use super::{Answer, Caller, Failure, Service, Submission, Target, Work};
use crate::details::TransactionDetails;
use crate::domain::amount::RequestedAmount;
use crate::domain::outcome::Outcome;
use crate::domain::refund;
use crate::render::View;
use crate::store::Collection;

/// A request to refund a purchase.
#[derive(Clone, Debug)]
pub struct Create {
    /// The purchase.
    pub purchase: Uuid,
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The amount; all that is left when absent.
    pub amount: RequestedAmount,
    /// The requested outcome; the one planned with the purchase when absent.
    pub outcome: Option<Outcome>,
    /// Descriptive fields.
    pub details: Box<TransactionDetails>,
}

impl Service {
    /// Creates a refund, or returns the first answer to a repeated request.
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
                    command.create(work, id, key)
                })
            })
        })
        .await
    }
}

impl Create {
    fn create(&self, work: &Work<'_>, id: Uuid, key: String) -> Result<View, Failure> {
        let command = self.clone();
        let before = Target::Id(command.purchase).load(work, Collection::Transactions)?;
        let purchase = before.transaction.clone();
        let planned = purchase.planned.refund.clone();
        let call = Call {
            operation: "createRefund",
            channel: purchase.payment_channel.as_deref(),
        };
        let outcome = call.decide(work, command.outcome, planned)?;
        let create = refund::Create {
            id,
            merchant_transaction_id: key,
            origin_merchant_transaction_id: command.origin_merchant_transaction_id,
            amount: command.amount,
        };
        let created = refund::create(purchase, create, outcome, work.now)?;
        insert_refund(work, &before, created, command.details)
    }
}
