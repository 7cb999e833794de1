//! Purchases: create, capture and retry.

use uuid::Uuid;

use super::apply::{change, insert};
use super::card_use::CardUse;
use super::outcome::{Call, RequestedOutcomes};
use super::payment_methods;
use super::subscriptions::{FirstPurchase, Order};
use super::{Answer, Caller, Customer, Failure, Service, Submission, Target, Work};
use crate::details::TransactionDetails;
use crate::domain::acceptance::Pointers;
use crate::domain::amount::RequestedAmount;
use crate::domain::money::Money;
use crate::domain::outcome::Outcome;
use crate::domain::purchase::{self, ChallengeSetup};
use crate::domain::quote::{Authorized, Candidate};
use crate::domain::state::Kind;
use crate::domain::transaction::{Planned, Transaction, Transition};
use crate::render::View;
use crate::store::Collection;

/// A request to create a purchase.
#[derive(Clone, Debug)]
pub struct Create {
    /// The merchant's id of an earlier transaction.
    pub origin_merchant_transaction_id: Option<String>,
    /// The channel.
    pub payment_channel: Option<String>,
    /// The amount of the order.
    pub money: Money,
    /// The authorization and its quote.
    pub authorized: Authorized,
    /// Whether the money is held first and captured later.
    pub two_step: bool,
    /// The outcomes of later calls.
    pub planned: Planned,
    /// The requested outcomes.
    pub requested: RequestedOutcomes,
    /// The card, if it is paid with one.
    pub card: CardUse,
    /// Whether the merchant wants to skip challenges.
    pub skip_authentication: bool,
    /// The customer.
    pub customer: Customer,
    /// Descriptive fields.
    pub details: Box<TransactionDetails>,
    /// The subscription that the purchase begins.
    pub subscription: Option<Order>,
}

impl Service {
    /// Creates a purchase, or returns the first answer to a repeated request.
    pub async fn create_purchase(
        &self,
        submission: Submission,
        command: Create,
    ) -> Result<Answer, Failure> {
        let (id, page) = (Uuid::now_v7(), Uuid::new_v4());
        self.command(submission.merchant, move |work| {
            submission.once(work, Collection::Transactions, |key| {
                let command = command.clone();
                let candidate = Candidate {
                    kind: Kind::Purchase,
                    merchant_transaction_id: Some(&key),
                    channel: command.payment_channel.as_deref().unwrap_or_default(),
                    order: command.money,
                };
                payment_methods::check(work, &candidate, Pointers::TRANSACTION)?;
                command.authorized.check(&candidate, work.now)?;
                command.customer.settle(work)?;
                let card = command.card.outcome(work, &command.customer)?;
                let call = Call {
                    operation: "createPurchase",
                    channel: command.payment_channel.as_deref(),
                };
                let outcome = command.requested.decide(work, card, call)?;
                let setup = ChallengeSetup {
                    page,
                    skip: command.skip_authentication,
                };
                let first = FirstPurchase {
                    purchase: id,
                    key: &key,
                    money: command.money,
                    customer: &command.customer,
                    payment_channel: command.payment_channel.as_deref(),
                    card: &command.card,
                };
                let order = command.subscription.as_ref();
                let subscription = order.map(|order| order.place(work, &first)).transpose()?;
                let create = purchase::Create {
                    id,
                    merchant_transaction_id: key,
                    origin_merchant_transaction_id: command.origin_merchant_transaction_id,
                    payment_channel: command.payment_channel,
                    money: command.money,
                    two_step: command.two_step,
                    planned: command.planned,
                };
                let mut created = purchase::create(create, outcome, setup, work.now)?;
                created.transaction.subscription = subscription;
                command.card.present(work, id, &command.customer)?;
                insert(work, created, command.details)
            })
        })
        .await
    }

    /// Captures an authorized purchase: all of it, or the given amount.
    pub async fn capture_purchase(
        &self,
        caller: impl Into<Caller>,
        target: Target,
        amount: RequestedAmount,
        outcome: Option<Outcome>,
    ) -> Result<Answer, Failure> {
        self.change_purchase(caller.into(), target, move |purchase, work| {
            let planned = purchase.planned.capture.clone();
            let call = call("captureTransaction", &purchase);
            let outcome = call.decide(work, outcome.clone(), planned)?;
            let (money, channel) = (purchase.money, purchase.payment_channel.clone());
            let captured = purchase::capture(purchase, &amount, outcome, work.now)?;
            let candidate = Candidate {
                kind: Kind::Purchase,
                merchant_transaction_id: None,
                channel: channel.as_deref().unwrap_or_default(),
                order: amount.read(money.currency())?.unwrap_or(money),
            };
            payment_methods::check(work, &candidate, Pointers::TRANSACTION)?;
            Ok(captured)
        })
        .await
    }

    /// Retries the authorization of a rejected or expired purchase.
    pub async fn renew_purchase(
        &self,
        caller: impl Into<Caller>,
        target: Target,
        outcome: Option<Outcome>,
    ) -> Result<Answer, Failure> {
        let page = Uuid::new_v4();
        self.change_purchase(caller.into(), target, move |purchase, work| {
            let planned = purchase.planned.renew.clone();
            let call = call("renewAuthorization", &purchase);
            let outcome = call.decide(work, outcome.clone(), planned)?;
            let setup = ChallengeSetup { page, skip: false };
            Ok(purchase::renew(purchase, outcome, setup, work.now)?)
        })
        .await
    }

    async fn change_purchase(
        &self,
        caller: Caller,
        target: Target,
        decide: impl Fn(Transaction, &Work<'_>) -> Result<Transition, Failure> + Send + 'static,
    ) -> Result<Answer, Failure> {
        self.change_once(caller, move |work| {
            let before = target.load(work, Collection::Transactions)?;
            let after = decide(before.transaction.clone(), work)?;
            let record = change(work, &before, after)?;
            View::load(work, record)
        })
        .await
    }
}

/// A call on an existing purchase.
fn call<'a>(operation: &'static str, purchase: &'a Transaction) -> Call<'a> {
    Call {
        operation,
        channel: purchase.payment_channel.as_deref(),
    }
}
