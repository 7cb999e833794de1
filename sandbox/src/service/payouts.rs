//! Payouts: create, offers, capture.

use uuid::Uuid;

use super::apply::{change, insert};
use super::{Answer, Customer, Failure, Service, Submission, Target, View, Written};
use crate::domain::money::Money;
use crate::domain::offer::{self, Offer};
use crate::domain::outcome::Outcome;
use crate::domain::payout;
use crate::domain::transaction::Planned;
use crate::store::{self, Collection, Tenant};

/// A payout to make.
#[derive(Clone, Debug)]
pub struct Create {
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel the money takes.
    pub payment_channel: Option<String>,
    /// How much.
    pub money: Money,
    /// Outcomes of later calls.
    pub planned: Planned,
    /// The provider's answer.
    pub outcome: Outcome,
    /// Who is paid.
    pub customer: Customer,
    /// Descriptive fields, a JSON object.
    pub details: String,
}

impl Service {
    /// Makes a payout, or answers as it did when it made it.
    pub async fn create_payout(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let (id, now, tenant) = (Uuid::now_v7(), self.now(), submission.tenant);
        self.command(move |connection| {
            let mut due = false;
            let value = submission.once(connection, Collection::Payouts, |key| {
                command.customer.settle(connection, tenant)?;
                let wish = payout::Create {
                    id,
                    merchant_transaction_id: key,
                    origin_merchant_transaction_id: command.origin_merchant_transaction_id,
                    payment_channel: command.payment_channel,
                    money: command.money,
                    planned: command.planned,
                };
                let currency = command.money.currency();
                let available = store::available(connection, tenant, currency)?;
                let made = payout::create(wish, available, command.outcome, now)?;
                due = made.transaction.due.is_some();
                insert(connection, tenant, made, command.details, now)
            })?;
            Ok(Written { value, due })
        })
        .await
    }

    /// Gets new offers for a payout.
    ///
    /// `destination` reads the destination currency out of the payout's descriptive fields.
    pub async fn renew_offers(
        &self,
        tenant: Tenant,
        target: Target,
        destination: fn(&str) -> Option<String>,
    ) -> Result<Vec<Offer>, Failure> {
        let now = self.now();
        let ids = [(); offer::COUNT].map(|()| (Uuid::now_v7(), Uuid::new_v4()));
        self.command(move |connection| {
            let before = target.load(connection, tenant, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let earlier = store::offers_of(connection, payout.id, payout.money.currency())?;
            let wanted = destination(&before.details);
            let (after, offers) =
                payout::renew_offers(payout, &earlier, wanted.as_deref(), ids, now)?;
            store::update(connection, &before.transaction, &after, &before.details)?;
            store::replace_offers(connection, after.id, &offers)?;
            Ok(Written {
                value: offers,
                due: after.due.is_some(),
            })
        })
        .await
    }

    /// Carries out a payout on one of its offers.
    ///
    /// `describe` brings the payout's descriptive fields up to date.
    pub async fn capture_payout(
        &self,
        tenant: Tenant,
        target: Target,
        outcome: Option<Outcome>,
        describe: impl FnOnce(String) -> Result<String, Failure> + Send + 'static,
    ) -> Result<View, Failure> {
        let now = self.now();
        self.command(move |connection| {
            let mut before = target.load(connection, tenant, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let planned = payout.planned.capture.clone();
            let outcome = outcome.or(planned).unwrap_or(Outcome::ACCEPT);
            let offers = store::offers_of(connection, payout.id, payout.money.currency())?;
            let (after, offers) = payout::capture(payout, offers, outcome, now)?;
            store::select_offer(connection, &offers)?;
            before.details = describe(before.details)?;
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
