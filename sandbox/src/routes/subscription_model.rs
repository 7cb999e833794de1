//! Subscriptions, in the models of the contract.

use merchant_payments::models::{
    Subscription, SubscriptionCancellation, SubscriptionCustomer, SubscriptionCustomerPage,
    SubscriptionPage, SubscriptionStatus,
};
use merchant_payments::operations::subscriptions::{
    ListSubscriptionCustomersParameters, ListSubscriptionsParameters,
};
use merchant_payments::runtime;
use merchant_payments::server::Context;
use uuid::Uuid;

use super::products::{SHOP, TERMINAL};
use super::{Operations, page};
use crate::domain::interval::day_of;
use crate::service::{Failure, Owned};
use crate::store::subscriptions::{Filter, Record, Subscriber};

impl Operations {
    pub(super) async fn subscriptions(
        &self,
        context: &Context,
        parameters: ListSubscriptionsParameters,
    ) -> Result<SubscriptionPage, Failure> {
        let page = page::read(
            parameters.items_per_page,
            parameters.page,
            parameters.direction.as_ref(),
            parameters.sort_by.as_ref(),
        )?;
        let filter = Filter {
            status: status(parameters.status.as_ref()),
            plan: parameters.plan_id.map(Into::into),
            customer: parameters.customer_id.map(Into::into),
        };
        let merchant = Self::merchant(context)?;
        let found = self.service.subscriptions(merchant, filter, page).await?;
        let data = found
            .record
            .iter()
            .map(|record| model(record, &found.merchant));
        Ok(SubscriptionPage {
            data: Some(data.collect()),
            meta: Some(page::meta(&page)),
        })
    }

    pub(super) async fn subscribers(
        &self,
        context: &Context,
        parameters: ListSubscriptionCustomersParameters,
    ) -> Result<SubscriptionCustomerPage, Failure> {
        let page = page::read(
            parameters.items_per_page,
            parameters.page,
            parameters.direction.as_ref(),
            parameters.sort_by.as_ref(),
        )?;
        let filter = Filter {
            status: status(parameters.status.as_ref()),
            plan: parameters.plan_id.map(Into::into),
            customer: None,
        };
        let merchant = Self::merchant(context)?;
        let found = self.service.subscribers(merchant, filter, page).await?;
        Ok(SubscriptionCustomerPage {
            data: Some(found.into_iter().map(subscriber).collect()),
            meta: Some(page::meta(&page)),
        })
    }

    pub(super) async fn subscription(
        &self,
        context: &Context,
        id: Uuid,
    ) -> Result<Subscription, Failure> {
        let merchant = Self::merchant(context)?;
        Ok(owned(&self.service.subscription(merchant, id).await?))
    }

    pub(super) async fn cancel(
        &self,
        context: &Context,
        id: Uuid,
        body: Option<SubscriptionCancellation>,
    ) -> Result<Subscription, Failure> {
        let merchant = Self::merchant(context)?;
        let reason = body.and_then(|body| body.cancel_reason);
        let cancelled = self
            .service
            .cancel_subscription(merchant, id, reason)
            .await?;
        Ok(owned(&cancelled))
    }
}

fn status(status: Option<&SubscriptionStatus>) -> Option<String> {
    status.map(|status| status.as_str().to_owned())
}

fn owned(record: &Owned<Record>) -> Subscription {
    model(&record.record, &record.merchant)
}

fn model(record: &Record, merchant: &str) -> Subscription {
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

fn subscriber(subscriber: Subscriber) -> SubscriptionCustomer {
    SubscriptionCustomer {
        id: Some(subscriber.id.into()),
        email: subscriber.email,
        subscription_count: Some(subscriber.subscriptions),
        created_at: Some(day_of(subscriber.created_at).into()),
    }
}
