//! Subscriptions: order with a purchase, list, read, cancel and remove.

use uuid::Uuid;

use super::card_use::CardUse;
use super::notifications::announce_subscription;
use super::timer_kind::Kind;
use super::{Customer, Failure, Owned, Service, Target, Work};
use crate::details::TransactionDetails;
use crate::domain::money::Money;
use crate::domain::page::Page;
use crate::domain::plan::{self, Plan};
use crate::domain::subscription::{Status, Subscription};
use crate::domain::{Rejection, subscription_news};
use crate::store::subscriptions::{self, Filter, Record, Source, Subscriber};
use crate::store::{Collection, Hold, Merchant, plans};

/// The part of a purchase request that begins a subscription.
#[derive(Clone, Debug)]
pub struct Order {
    /// The plan.
    pub plan: Uuid,
    /// The customer's e-mail address.
    pub email: Option<String>,
    /// The requested script of the charges' outcomes.
    pub outcomes: Option<String>,
    /// Descriptive fields of the charges.
    pub details: Box<TransactionDetails>,
}

/// The purchase that begins the subscription.
#[derive(Debug)]
pub(super) struct FirstPurchase<'a> {
    pub(super) purchase: Uuid,
    pub(super) key: &'a str,
    pub(super) money: Money,
    pub(super) customer: &'a Customer,
    pub(super) payment_channel: Option<&'a str>,
    pub(super) card: &'a CardUse,
}

impl Order {
    /// Adds a subscription that begins when the purchase is accepted; returns its id.
    pub(super) fn place(&self, work: &Work<'_>, with: &FirstPurchase<'_>) -> Result<Uuid, Failure> {
        let found = plans::find(work.connection, work.tenant, self.plan, Hold::AsItIs)?;
        let plan = found.ok_or_else(plan::unknown)?;
        let customer = with.customer.id();
        plan.accepts(with.money, customer.is_some())?;
        let customer = customer.unwrap_or_default();
        let card = with.card.saved_as(work, customer)?;
        let subscription = Subscription::ordered(&plan, customer, with.purchase, work.now);
        let id = subscription.id;
        let source = Source {
            email: self.email.clone(),
            external_id: with.key.to_owned(),
            payment_channel: with.payment_channel.map(str::to_owned),
            id: card.unwrap_or_else(|| subscription.source_id()),
            outcomes: self.outcomes.clone(),
            details: self.details.clone(),
        };
        let record = Record {
            version: 1,
            subscription,
            source,
        };
        subscriptions::insert(work.connection, work.tenant, &record)?;
        Ok(id)
    }
}

impl Service {
    /// A page of the subscriptions that match the filter.
    pub async fn subscriptions(
        &self,
        merchant: Merchant,
        filter: Filter,
        page: Page,
    ) -> Result<Owned<Vec<Record>>, Failure> {
        self.read(merchant, move |work| {
            let found = subscriptions::page(work.connection, work.tenant, &filter, &page)?;
            Owned::new(work, found)
        })
        .await
    }

    /// A page of the customers whose subscriptions match the filter.
    pub async fn subscribers(
        &self,
        merchant: Merchant,
        filter: Filter,
        page: Page,
    ) -> Result<Vec<Subscriber>, Failure> {
        self.read(merchant, move |work| {
            let found = subscriptions::subscribers(work.connection, work.tenant, &filter, &page)?;
            Ok(found)
        })
        .await
    }

    /// One subscription.
    pub async fn subscription(
        &self,
        merchant: Merchant,
        id: Uuid,
    ) -> Result<Owned<Record>, Failure> {
        self.read(merchant, move |work| Owned::new(work, load(work, id)?))
            .await
    }

    /// Cancels a subscription at the end of its billing period.
    pub async fn cancel_subscription(
        &self,
        merchant: Merchant,
        id: Uuid,
        reason: Option<String>,
    ) -> Result<Owned<Record>, Failure> {
        self.command(merchant, move |work| {
            let before = load(work, id)?;
            let plan =
                plans::of_subscription(work.connection, work.tenant, before.subscription.plan)?;
            let after = cancel(work, &before, &plan, reason.clone())?;
            Owned::new(work, before.with(&after))
        })
        .await
    }

    /// Ends a subscription at once and removes it.
    pub async fn remove_subscription(&self, merchant: Merchant, id: Uuid) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let before = load(work, id)?;
            let after = before.subscription.clone().expire(work.now);
            store_change(work, &before, &after)?;
            Ok(subscriptions::remove(
                work.connection,
                work.tenant,
                id,
                work.now,
            )?)
        })
        .await
    }
}

/// Cancels a subscription at the end of its billing period and writes it.
pub(super) fn cancel(
    work: &Work<'_>,
    before: &Record,
    plan: &Plan,
    reason: Option<String>,
) -> Result<Subscription, Failure> {
    let after = { before.subscription.clone() }.cancel(plan, reason, work.now)?;
    write(work, before, &after)?;
    notify(work, before, &after, true)?;
    Ok(after)
}

/// Writes the changes, sets the next timer, and notifies about the end.
pub(super) fn store_change(
    work: &Work<'_>,
    before: &Record,
    after: &Subscription,
) -> Result<(), Failure> {
    write(work, before, after)?;
    notify(work, before, after, false)
}

/// Notifies about changes other than charges.
fn notify(
    work: &Work<'_>,
    before: &Record,
    after: &Subscription,
    cancelled: bool,
) -> Result<(), Failure> {
    let news = subscription_news::of_course(&before.subscription, after, cancelled);
    if news.is_empty() {
        return Ok(());
    }
    let first = Target::Id(after.first_transaction).load(work, Collection::Transactions)?;
    { news.into_iter() }
        .try_for_each(|news| announce_subscription(work, &first, news, (before, after)))
}

fn write(work: &Work<'_>, before: &Record, after: &Subscription) -> Result<(), Failure> {
    if *after == before.subscription {
        return Ok(());
    }
    subscriptions::update(work.connection, work.tenant, before, after)?;
    let due_at = after.due_at();
    if due_at.is_some() || before.subscription.due_at().is_some() {
        // The day may be over when an earlier charge was late.
        let due_at = due_at.map(|at| at.max(work.now));
        work.schedule(
            Kind::Subscription,
            &after.id.hyphenated().to_string(),
            due_at,
        )?;
    }
    Ok(())
}

fn load(work: &Work<'_>, id: Uuid) -> Result<Record, Failure> {
    let found = subscriptions::find(work.connection, work.tenant, id)?;
    found
        .filter(|record| record.subscription.status != Status::Ordered)
        .ok_or_else(|| Rejection::unknown("subscription").into())
}
