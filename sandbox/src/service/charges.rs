//! Charges of subscriptions: purchases that timers create.

use uuid::Uuid;

use super::apply::{change, insert_charge};
use super::cards::shelf;
use super::outcome::Call;
use super::subscription_payments::Charged;
use super::subscriptions::store_change;
use super::{Failure, Target, Work, scenarios};
use crate::domain::charge_script;
use crate::domain::outcome::Outcome;
use crate::domain::plan::Plan;
use crate::domain::purchase::{self, ChallengeSetup};
use crate::domain::subscription::Due;
use crate::domain::transaction::Planned;
use crate::store::cards::{self, Purpose};
use crate::store::subscriptions::{self, Record};
use crate::store::{self, Collection, StoreError, plans};

/// Handles the timer of a subscription, if its action is still due.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id: Uuid = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    let Some(record) = subscriptions::find(work.connection, work.tenant, id)? else {
        return Ok(());
    };
    match record.subscription.due(work.now) {
        None => Ok(()),
        Some(Due::Expire) => {
            store_change(work, &record, &record.subscription.clone().expire(work.now))
        }
        Some(Due::Charge(number)) => charge(work, &record, number),
        Some(Due::Retry(number)) => retry(work, &record, number),
    }
}

/// Creates a charge.
fn charge(work: &Work<'_>, record: &Record, number: u32) -> Result<(), Failure> {
    let Record {
        subscription,
        source,
        ..
    } = record;
    let plan = plan(work, subscription.plan)?;
    let command = purchase::Create {
        id: subscription.charge_id(number),
        merchant_transaction_id: key(work, record, number)?,
        origin_merchant_transaction_id: Some(source.external_id.clone()),
        payment_channel: source.payment_channel.clone(),
        money: plan.amount,
        two_step: false,
        planned: Planned::default(),
    };
    let mut created = purchase::create(command, outcome(work, record)?, setup(record), work.now)?;
    created.transaction.subscription = Some(subscription.id);
    let charged = Charged {
        record,
        plan: &plan,
    };
    insert_charge(work, created, source.details.clone(), Some(charged))?;
    Ok(())
}

/// The plan of a subscription, cached while the transaction holds a lock on it.
fn plan(work: &Work<'_>, id: Uuid) -> Result<Plan, Failure> {
    let mut known = work.plans.borrow_mut();
    if let Some(plan) = known.iter().find(|plan| plan.id == id) {
        return Ok(plan.clone());
    }
    let plan = plans::of_subscription(work.connection, work.tenant, id)?;
    known.push(plan.clone());
    Ok(plan)
}

/// Retries a declined charge.
fn retry(work: &Work<'_>, record: &Record, number: u32) -> Result<(), Failure> {
    let target = Target::Id(record.subscription.charge_id(number));
    let before = target.load(work, Collection::Transactions)?;
    let outcome = outcome(work, record)?;
    let after = purchase::renew(before.transaction.clone(), outcome, setup(record), work.now)?;
    change(work, &before, after)?;
    Ok(())
}

/// The provider's answer to the next attempt.
fn outcome(work: &Work<'_>, record: &Record) -> Result<Outcome, Failure> {
    let script = record.source.outcomes.as_deref();
    let asked = script.and_then(|script| charge_script::at(script, record.subscription.attempts));
    let call = Call {
        operation: scenarios::CHARGE,
        channel: record.source.payment_channel.as_deref(),
    };
    call.decide(work, asked, card(work, record)?)
}

/// The outcome that the charged saved card decides; `None` when it decides nothing.
fn card(work: &Work<'_>, record: &Record) -> Result<Option<Outcome>, Failure> {
    let Record {
        subscription,
        source,
        ..
    } = record;
    if source.id == subscription.source_id() {
        return Ok(None);
    }
    let shelf = shelf(work, subscription.customer, Purpose::Payment);
    Ok(match cards::find(work.connection, &shelf, source.id)? {
        None => Some(Outcome::removed_card()),
        Some(saved) if saved.card.has_expired(work.now) => Some(Outcome::expired_card()),
        Some(saved) => saved.card.outcome,
    })
}

/// Skips challenges, because the customer is not present.
fn setup(record: &Record) -> ChallengeSetup {
    ChallengeSetup {
        page: record.subscription.id,
        skip: true,
    }
}

/// A merchant's id for a charge that no other transaction has.
fn key(work: &Work<'_>, record: &Record, number: u32) -> Result<String, Failure> {
    let mut key = format!("{}-{number}", record.subscription.id);
    let (connection, tenant) = (work.connection, work.tenant);
    while store::by_merchant_id(connection, tenant, Collection::Transactions, &key)?.is_some() {
        key.push('x');
    }
    Ok(key)
}
