//! The charges of subscriptions: purchases that are made by themselves, and what follows from them.

use uuid::Uuid;

use super::apply::{change, insert};
use super::cards::shelf;
use super::outcome::Call;
use super::subscriptions::keep;
use super::{Failure, Target, Work};
use crate::domain::charge_script;
use crate::domain::outcome::Outcome;
use crate::domain::purchase::{self, Asking};
use crate::domain::subscription::{Charge, Due, Payment};
use crate::domain::transaction::{Planned, Transaction};
use crate::store::cards::{self, Purpose};
use crate::store::subscriptions::{self, Record};
use crate::store::{self, Collection, StoreError, plans};

/// The name by which the script of outcomes knows charges, which are no operation of the interface.
pub(super) const OPERATION: &str = "chargeSubscription";

/// Does what is due about a subscription, provided that it still is.
pub(super) fn fire(work: &Work<'_>, subject: &str) -> Result<(), Failure> {
    let id: Uuid = subject.parse().map_err(|_| StoreError::Corrupt("timer"))?;
    let Some(record) = subscriptions::find(work.connection, work.tenant, id)? else {
        return Ok(());
    };
    match record.subscription.due(work.now) {
        None => Ok(()),
        Some(Due::Expire) => keep(work, &record, &record.subscription.clone().expire(work.now)),
        Some(Due::Charge(number)) => charge(work, &record, number),
        Some(Due::Retry(number)) => retry(work, &record, number),
    }
}

/// Takes notice of a purchase that begins a subscription or pays for it.
pub(super) fn follow(
    work: &Work<'_>,
    subscription: Uuid,
    before: Option<&Transaction>,
    after: &Transaction,
) -> Result<(), Failure> {
    let found = subscriptions::find(work.connection, work.tenant, subscription)?;
    let Some(record) = found else {
        // It was removed: nobody waits for the money any more.
        return Ok(());
    };
    let plan = plans::of_subscription(work.connection, work.tenant, record.subscription.plan)?;
    let payment = Payment {
        purchase: after.id,
        attempted: after.attempts > before.map_or(0, |before| before.attempts),
        result: Charge::of(after.status, after.decline.as_ref()),
    };
    let next = record.subscription.clone().follow(&plan, payment, work.now);
    keep(work, &record, &next)
}

/// Makes a charge.
fn charge(work: &Work<'_>, record: &Record, number: u32) -> Result<(), Failure> {
    let Record {
        subscription,
        source,
        ..
    } = record;
    let plan = plans::of_subscription(work.connection, work.tenant, subscription.plan)?;
    let wish = purchase::Create {
        id: subscription.charge_id(number),
        merchant_transaction_id: key(work, record, number)?,
        origin_merchant_transaction_id: Some(source.external_id.clone()),
        payment_channel: source.payment_channel.clone(),
        money: plan.amount,
        two_step: false,
        planned: Planned::default(),
    };
    let mut made = purchase::create(wish, outcome(work, record)?, asking(record), work.now)?;
    made.transaction.subscription = Some(subscription.id);
    insert(work, made, source.details.clone())?;
    Ok(())
}

/// Tries a declined charge again.
fn retry(work: &Work<'_>, record: &Record, number: u32) -> Result<(), Failure> {
    let target = Target::Id(record.subscription.charge_id(number));
    let before = target.load(work, Collection::Transactions)?;
    let outcome = outcome(work, record)?;
    let after = purchase::renew(
        before.transaction.clone(),
        outcome,
        asking(record),
        work.now,
    )?;
    change(work, &before, after)?;
    Ok(())
}

/// What the provider answers to the next attempt.
fn outcome(work: &Work<'_>, record: &Record) -> Result<Outcome, Failure> {
    let script = record.source.outcomes.as_deref();
    let asked = script.and_then(|script| charge_script::at(script, record.subscription.attempts));
    let call = Call {
        operation: OPERATION,
        channel: record.source.payment_channel.as_deref(),
    };
    call.decide(work, asked, card(work, record)?)
}

/// What the saved card that is charged says by itself, where there is one.
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

/// The customer is not there to be asked.
fn asking(record: &Record) -> Asking {
    Asking {
        page: record.subscription.id,
        skip: true,
    }
}

/// The merchant's id of a charge: what the merchant has not used for something else.
fn key(work: &Work<'_>, record: &Record, number: u32) -> Result<String, Failure> {
    let mut key = format!("{}-{number}", record.subscription.id);
    let (connection, tenant) = (work.connection, work.tenant);
    while store::by_merchant_id(connection, tenant, Collection::Transactions, &key)?.is_some() {
        key.push('x');
    }
    Ok(key)
}
