//! Converts plans to the models of the contract.

use merchant_payments::models::{SubscriptionPlan, SubscriptionPlanPage, SubscriptionPlanRequest};
use merchant_payments::operations::subscriptions::ListPlansParameters;
use merchant_payments::runtime::{self, Decimal};
use merchant_payments::server::Context;
use uuid::Uuid;

use super::{Operations, page};
use crate::domain::interval::day_of;
use crate::domain::money::Money;
use crate::domain::plan::{self, Plan};
use crate::render::shop::{SHOP, TERMINAL};
use crate::service::{Failure, Owned};

impl Operations {
    pub(super) async fn plans(
        &self,
        context: &Context,
        parameters: ListPlansParameters,
    ) -> Result<SubscriptionPlanPage, Failure> {
        let page = page::read(
            parameters.items_per_page,
            parameters.page,
            parameters.direction.as_ref(),
            parameters.sort_by.as_ref(),
        )?;
        let product = parameters.product_id.map(Into::into);
        let merchant = Self::merchant(context)?;
        let found = self.service.plans(merchant, product, page).await?;
        let data = found.record.iter().map(|plan| model(plan, &found.merchant));
        Ok(SubscriptionPlanPage {
            data: Some(data.collect()),
            meta: Some(page::meta(&page)),
        })
    }

    pub(super) async fn add_plan(
        &self,
        context: &Context,
        body: SubscriptionPlanRequest,
    ) -> Result<SubscriptionPlan, Failure> {
        let product = body.product_id.into();
        let command = plan::Create {
            trial_period_days: body.trial_period_days,
            charge_day: body.charge_day,
            setup_fee: body.setup_fee.map(|fee| fee.as_str().to_owned()),
            amount: body.amount.as_str().to_owned(),
            currency: body.currency,
            interval_unit: body.interval_unit.as_str().to_owned(),
            interval_count: body.interval_count,
            total_count: body.total_count,
            charge_retry: body.charge_retry.unwrap_or_default(),
        };
        let merchant = Self::merchant(context)?;
        Ok(owned(
            &self.service.create_plan(merchant, product, command).await?,
        ))
    }

    pub(super) async fn plan(
        &self,
        context: &Context,
        id: Uuid,
    ) -> Result<SubscriptionPlan, Failure> {
        Ok(owned(
            &self.service.plan(Self::merchant(context)?, id).await?,
        ))
    }

    /// Activates or deactivates a plan.
    pub(super) async fn set_plan_active(
        &self,
        context: &Context,
        id: Uuid,
        active: bool,
    ) -> Result<SubscriptionPlan, Failure> {
        let merchant = Self::merchant(context)?;
        let plan = if active {
            self.service.activate_plan(merchant, id).await?
        } else {
            self.service.deactivate_plan(merchant, id).await?
        };
        Ok(owned(&plan))
    }
}

fn owned(plan: &Owned<Plan>) -> SubscriptionPlan {
    model(&plan.record, &plan.merchant)
}

fn model(plan: &Plan, merchant: &str) -> SubscriptionPlan {
    let day = |time| Some(runtime::Date::from(day_of(time)));
    let decimal = |money: Money| Decimal::new(&money.to_string()).ok();
    SubscriptionPlan {
        id: Some(plan.id.into()),
        product_id: Some(plan.product.into()),
        merchant_id: Some(merchant.to_owned()),
        shop_id: Some(SHOP.to_owned()),
        terminal_id: Some(TERMINAL.to_owned()),
        status: Some(plan.active),
        trial_period_days: Some(plan.trial_days.into()),
        charge_day: plan.charge_day.map(Into::into),
        interval_count: Some(plan.interval.count.into()),
        total_count: plan.total.map(Into::into),
        setup_fee: decimal(plan.setup_fee),
        amount: decimal(plan.amount),
        currency: Some(plan.amount.currency().code().to_owned()),
        interval_unit: Some(plan.interval.unit.wire().into()),
        charge_retry: Some(plan.retries),
        created_at: day(plan.created_at),
        updated_at: day(plan.updated_at),
        deleted_at: None,
    }
}
