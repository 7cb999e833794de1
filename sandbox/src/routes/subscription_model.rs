//! Converts subscriptions to the models of the contract.

use merchant_payments::models::{
    Subscription, SubscriptionCancellation, SubscriptionCustomer, SubscriptionCustomerPage,
    SubscriptionPage, SubscriptionStatus,
};
use merchant_payments::operations::subscriptions::{
    ListSubscriptionCustomersParameters, ListSubscriptionsParameters,
};
use merchant_payments::server::Context;
use uuid::Uuid;

use super::{Operations, page};
use crate::domain::interval::day_of;
use crate::render::subscription;
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
            .map(|record| subscription::model(record, &found.merchant));
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
    subscription::model(&record.record, &record.merchant)
}

fn subscriber(subscriber: Subscriber) -> SubscriptionCustomer {
    SubscriptionCustomer {
        id: Some(subscriber.id.into()),
        email: subscriber.email,
        subscription_count: Some(subscriber.subscriptions),
        created_at: Some(day_of(subscriber.created_at).into()),
    }
}
