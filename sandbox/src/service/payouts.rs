//! Payouts: create, request and select offers, capture and retry.

use uuid::Uuid;

use super::apply::{change, insert};
use super::card_use::Destination;
use super::outcome::{Call, RequestedOutcomes};
use super::payment_methods;
use super::{Answer, Caller, Customer, Failure, Service, Submission, Target};
use crate::details::{Meta, TransactionDetails};
use crate::domain::acceptance::Pointers;
use crate::domain::money::Money;
use crate::domain::offer::{self, Offer};
use crate::domain::outcome::Outcome;
use crate::domain::payout::{self, Choice};
use crate::domain::quote::{Authorized, Candidate};
use crate::domain::state::Kind;
use crate::domain::transaction::{Planned, Transaction, Transition};
use crate::render::{self, View};
use crate::store::{self, Collection};

/// A request to create a payout.
#[derive(Clone, Debug)]
pub struct Create {
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The amount.
    pub money: Money,
    /// The authorization and its quote.
    pub authorized: Authorized,
    /// The outcomes of later calls.
    pub planned: Planned,
    /// The requested outcomes.
    pub requested: RequestedOutcomes,
    /// The recipient.
    pub customer: Customer,
    /// The saved card that receives the payout.
    pub destination: Option<Destination>,
    /// Descriptive fields.
    pub details: Box<TransactionDetails>,
}

/// A new destination of a payout; absent fields keep their value.
#[derive(Clone, Debug, Default)]
pub struct Redirection {
    /// The wallet's address.
    pub address: Option<String>,
    /// The memo that belongs to the address.
    pub memo: Option<String>,
}

impl Redirection {
    fn apply(&self, details: &mut TransactionDetails) {
        let Self { address, memo } = self.clone();
        if address.is_none() && memo.is_none() {
            return;
        }
        let meta: &mut Meta = details.meta.get_or_insert_default();
        meta.destination_address = address.or(meta.destination_address.take());
        meta.destination_address_memo = memo.or(meta.destination_address_memo.take());
    }
}

impl Service {
    /// Creates a payout, or returns the first answer to a repeated request.
    pub async fn create_payout(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let id = Uuid::now_v7();
        self.command(submission.merchant, move |work| {
            submission.once(work, Collection::Payouts, |key| {
                let command = command.clone();
                let candidate = Candidate {
                    kind: Kind::Payout,
                    merchant_transaction_id: Some(&key),
                    channel: command.payment_channel.as_deref().unwrap_or_default(),
                    order: command.money,
                };
                payment_methods::check(work, &candidate, Pointers::TRANSACTION)?;
                command.authorized.check(&candidate, work.now)?;
                command.customer.settle(work)?;
                let call = Call {
                    operation: "createPayout",
                    channel: command.payment_channel.as_deref(),
                };
                let destination = command.destination;
                let card = destination.map(|card| card.present(work, id, &command.customer));
                let card = card.transpose()?.flatten();
                let outcome = command.requested.decide(work, card, call)?;
                let create = payout::Create {
                    id,
                    merchant_transaction_id: key,
                    origin_merchant_transaction_id: command.origin_merchant_transaction_id,
                    payment_channel: command.payment_channel,
                    money: command.money,
                    planned: command.planned,
                };
                let currency = command.money.currency();
                let available = store::available(work.connection, work.tenant, currency)?;
                let created = payout::create(create, available, outcome, work.now)?;
                insert(work, created, command.details)
            })
        })
        .await
    }

    /// Requests new offers for a payout.
    pub async fn renew_offers(
        &self,
        caller: impl Into<Caller>,
        target: Target,
    ) -> Result<Answer<Vec<Offer>>, Failure> {
        let ids = [(); offer::COUNT].map(|()| (Uuid::now_v7(), Uuid::new_v4()));
        let text = |offers: &Vec<Offer>| render::offer::text(offers);
        self.once(caller.into(), text, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let before = target.load(work, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let currency = payout.money.currency();
            let earlier = store::offers_of(connection, tenant, payout.id, currency)?;
            let meta = before.details.meta.as_ref();
            let wanted = meta.and_then(|meta| meta.destination_currency.as_deref());
            let (after, offers) = payout::renew_offers(payout, &earlier, wanted, ids, work.now)?;
            store::replace_offers(connection, tenant, after.id, &offers)?;
            let after = Transition {
                transaction: after,
                entries: Vec::new(),
            };
            change(work, &before, after)?;
            Ok(offers)
        })
        .await
    }

    /// Selects the offer for the capture of a payout.
    pub async fn select_payout_offer(
        &self,
        caller: impl Into<Caller>,
        target: Target,
        choice: Choice,
    ) -> Result<Answer, Failure> {
        self.change_once(caller.into(), move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let before = target.load(work, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let currency = payout.money.currency();
            let offers = store::offers_of(connection, tenant, payout.id, currency)?;
            let (after, offers) = payout::select_offer(payout, offers, &choice, work.now)?;
            store::select_offer(connection, tenant, &offers)?;
            let after = Transition {
                transaction: after,
                entries: Vec::new(),
            };
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }

    /// Retries a rejected or expired payout.
    pub async fn renew_payout(
        &self,
        caller: impl Into<Caller>,
        target: Target,
        outcome: Option<Outcome>,
        redirection: Redirection,
    ) -> Result<Answer, Failure> {
        self.change_once(caller.into(), move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let mut before = target.load(work, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let planned = payout.planned.renew.clone();
            let outcome = call("renewPayout", &payout).decide(work, outcome.clone(), planned)?;
            let currency = payout.money.currency();
            let offers = store::offers_of(connection, tenant, payout.id, currency)?;
            let available = store::available(connection, tenant, currency)?;
            let (after, offers) = payout::renew(payout, offers, available, outcome, work.now)?;
            store::select_offer(connection, tenant, &offers)?;
            redirection.apply(&mut before.details);
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }

    /// Captures a payout on one of its offers.
    pub async fn capture_payout(
        &self,
        caller: impl Into<Caller>,
        target: Target,
        outcome: Option<Outcome>,
        redirection: Redirection,
    ) -> Result<Answer, Failure> {
        self.change_once(caller.into(), move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let mut before = target.load(work, Collection::Payouts)?;
            let payout = before.transaction.clone();
            let planned = payout.planned.capture.clone();
            let call = call("capturePayout", &payout);
            let outcome = call.decide(work, outcome.clone(), planned)?;
            let currency = payout.money.currency();
            let offers = store::offers_of(connection, tenant, payout.id, currency)?;
            let (after, offers) = payout::capture(payout, offers, outcome, work.now)?;
            store::select_offer(connection, tenant, &offers)?;
            redirection.apply(&mut before.details);
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }
}

/// A call on an existing payout.
fn call<'a>(operation: &'static str, payout: &'a Transaction) -> Call<'a> {
    Call {
        operation,
        channel: payout.payment_channel.as_deref(),
    }
}
