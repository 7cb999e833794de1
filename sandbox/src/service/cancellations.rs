//! Cancels transactions that have no result yet.

use super::apply::{change, change_purchase_of, purchase_of};
use super::{Answer, Caller, Failure, Service, Target};
use crate::domain::state::Kind;
use crate::domain::{payout, purchase, refund};
use crate::render::View;
use crate::store::Collection;

impl Service {
    /// Cancels a purchase or a refund.
    pub async fn cancel_transaction(
        &self,
        caller: impl Into<Caller>,
        target: Target,
    ) -> Result<Answer, Failure> {
        self.change_once(caller.into(), move |work| {
            let before = target.load(work, Collection::Transactions)?;
            let transaction = before.transaction.clone();
            let after = if transaction.kind == Kind::Refund {
                let purchase = purchase_of(work, &transaction)?;
                let pair = refund::cancel(transaction, purchase.transaction.clone(), work.now)?;
                change_purchase_of(work, &purchase, &pair.purchase)?;
                pair.refund
            } else {
                purchase::cancel(transaction, work.now)?
            };
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }

    /// Cancels a payout.
    pub async fn cancel_payout(
        &self,
        caller: impl Into<Caller>,
        target: Target,
    ) -> Result<Answer, Failure> {
        self.change_once(caller.into(), move |work| {
            let before = target.load(work, Collection::Payouts)?;
            let after = payout::cancel(before.transaction.clone(), work.now)?;
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }
}
