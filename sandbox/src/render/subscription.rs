//! Renders subscriptions.

use merchant_payments::models::Subscription;
use merchant_payments::runtime;

use super::shop::{SHOP, TERMINAL};
use crate::domain::interval::day_of;
use crate::store::subscriptions::Record;

/// A subscription of this merchant.
pub fn model(record: &Record, merchant: &str) -> Subscription {
    let Record {
        subscription,
        source,
        ..
    } = record;
    let date = |time| Some(runtime::Date::from(day_of(time)));
    let text = |day: Option<jiff::civil::Date>| day.map(|day| day.to_string());
    Subscription {
        id: Some(subscription.id.into()),
        plan_id: Some(subscription.plan.into()),
        customer_id: Some(subscription.customer.into()),
        first_transaction_id: Some(subscription.first_transaction.into()),
        payment_source_id: Some(source.id.into()),
        payment_source: source.payment_channel.as_deref().map(Into::into),
        merchant_id: Some(merchant.to_owned()),
        shop_id: Some(SHOP.to_owned()),
        terminal_id: Some(TERMINAL.to_owned()),
        external_id: Some(source.external_id.clone()),
        email: source.email.clone(),
        status: subscription.status.wire().map(Into::into),
        start_date: Some(subscription.start.to_string()),
        end_date: text(subscription.end),
        next_charge_date: text(subscription.next_charge),
        next_charge_attempt_date: text(subscription.next_attempt),
        remaining_count: subscription.remaining.map(Into::into),
        cancel_reason: subscription.cancel_reason.clone(),
        created_at: date(subscription.created_at),
        updated_at: date(subscription.updated_at),
        deleted_at: None,
    }
}
