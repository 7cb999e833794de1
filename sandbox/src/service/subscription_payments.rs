//! Applies the results of purchases to the subscriptions that they begin or pay for.

use uuid::Uuid;

use super::notifications::announce_subscription;
use super::subscriptions::store_change;
use super::{Failure, Work};
use crate::domain::plan::Plan;
use crate::domain::subscription::{Charge, Payment};
use crate::domain::subscription_news;
use crate::store::subscriptions::{self, Record};
use crate::store::{self, plans};

/// A charged subscription with its plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Charged<'a> {
    pub(super) record: &'a Record,
    pub(super) plan: &'a Plan,
}

/// Applies a purchase to the subscription that it begins or pays for.
pub(super) fn find_and_follow(
    work: &Work<'_>,
    subscription: Uuid,
    attempts_before: u32,
    after: &store::Record,
) -> Result<(), Failure> {
    let found = subscriptions::find(work.connection, work.tenant, subscription)?;
    let Some(record) = found else {
        // The subscription was removed, so the payment changes nothing.
        return Ok(());
    };
    let plan = plans::of_subscription(work.connection, work.tenant, record.subscription.plan)?;
    let charged = Charged {
        record: &record,
        plan: &plan,
    };
    follow(work, charged, attempts_before, after)
}

/// Like [`find_and_follow`], with the subscription already loaded.
pub(super) fn follow(
    work: &Work<'_>,
    Charged { record, plan }: Charged<'_>,
    attempts_before: u32,
    after: &store::Record,
) -> Result<(), Failure> {
    let purchase = &after.transaction;
    let payment = Payment {
        purchase: purchase.id,
        attempted: purchase.attempts > attempts_before,
        result: Charge::of(purchase.status, purchase.decline.as_ref()),
    };
    let next = record.subscription.clone().follow(plan, payment, work.now);
    for news in subscription_news::of_charge(&record.subscription, &next) {
        announce_subscription(work, after, news, (record, &next))?;
    }
    store_change(work, record, &next)
}
