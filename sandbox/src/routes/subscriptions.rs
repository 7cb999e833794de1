//! The operations on products, plans and subscriptions.

use merchant_payments::models::{
    SubscriptionCancellation, SubscriptionPlanRequest, SubscriptionProductRequest,
    SubscriptionProductUpdate,
};
use merchant_payments::operations::subscriptions::{
    ActivatePlanParameters, CancelSubscriptionParameters, DeactivatePlanParameters,
    GetPlanParameters, GetProductParameters, GetSubscriptionParameters, ListPlansParameters,
    ListProductsParameters, ListSubscriptionCustomersParameters, ListSubscriptionsParameters,
    RemovePlanParameters, RemoveProductParameters, RemoveSubscriptionParameters,
    UpdateProductParameters,
};
use merchant_payments::server::subscriptions::{
    ActivatePlanResponse, CancelSubscriptionResponse, CreatePlanResponse, CreateProductResponse,
    DeactivatePlanResponse, GetPlanResponse, GetProductResponse, GetSubscriptionResponse,
    ListPlansResponse, ListProductsResponse, ListSubscriptionCustomersResponse,
    ListSubscriptionsResponse, RemovePlanResponse, RemoveProductResponse,
    RemoveSubscriptionResponse, UpdateProductResponse,
};
use merchant_payments::server::{Context, Subscriptions};

use super::Operations;

impl Subscriptions for Operations {
    async fn list_subscriptions(
        &self,
        context: Context,
        parameters: ListSubscriptionsParameters,
    ) -> ListSubscriptionsResponse {
        match self.subscriptions(&context, parameters).await {
            Ok(found) => ListSubscriptionsResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn get_subscription(
        &self,
        context: Context,
        parameters: GetSubscriptionParameters,
    ) -> GetSubscriptionResponse {
        match self.subscription(&context, parameters.id.into()).await {
            Ok(found) => GetSubscriptionResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn cancel_subscription(
        &self,
        context: Context,
        parameters: CancelSubscriptionParameters,
        body: Option<SubscriptionCancellation>,
    ) -> CancelSubscriptionResponse {
        match self.cancel(&context, parameters.id.into(), body).await {
            Ok(found) => CancelSubscriptionResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn remove_subscription(
        &self,
        context: Context,
        parameters: RemoveSubscriptionParameters,
    ) -> RemoveSubscriptionResponse {
        let removed = match Self::merchant(&context) {
            Ok(merchant) => {
                self.service
                    .remove_subscription(merchant, parameters.id.into())
                    .await
            }
            Err(rejection) => Err(rejection.into()),
        };
        match removed {
            Ok(()) => RemoveSubscriptionResponse::NoContent,
            Err(failure) => failure.into(),
        }
    }

    async fn list_subscription_customers(
        &self,
        context: Context,
        parameters: ListSubscriptionCustomersParameters,
    ) -> ListSubscriptionCustomersResponse {
        match self.subscribers(&context, parameters).await {
            Ok(found) => ListSubscriptionCustomersResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn list_plans(
        &self,
        context: Context,
        parameters: ListPlansParameters,
    ) -> ListPlansResponse {
        match self.plans(&context, parameters).await {
            Ok(found) => ListPlansResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn create_plan(
        &self,
        context: Context,
        body: SubscriptionPlanRequest,
    ) -> CreatePlanResponse {
        match self.add_plan(&context, body).await {
            Ok(created) => CreatePlanResponse::Created(created),
            Err(failure) => failure.into(),
        }
    }

    async fn get_plan(&self, context: Context, parameters: GetPlanParameters) -> GetPlanResponse {
        match self.plan(&context, parameters.id.into()).await {
            Ok(found) => GetPlanResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn activate_plan(
        &self,
        context: Context,
        parameters: ActivatePlanParameters,
    ) -> ActivatePlanResponse {
        match self
            .set_plan_active(&context, parameters.id.into(), true)
            .await
        {
            Ok(found) => ActivatePlanResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn deactivate_plan(
        &self,
        context: Context,
        parameters: DeactivatePlanParameters,
    ) -> DeactivatePlanResponse {
        match self
            .set_plan_active(&context, parameters.id.into(), false)
            .await
        {
            Ok(found) => DeactivatePlanResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn remove_plan(
        &self,
        context: Context,
        parameters: RemovePlanParameters,
    ) -> RemovePlanResponse {
        let removed = match Self::merchant(&context) {
            Ok(merchant) => {
                self.service
                    .remove_plan(merchant, parameters.id.into())
                    .await
            }
            Err(rejection) => Err(rejection.into()),
        };
        match removed {
            Ok(()) => RemovePlanResponse::NoContent,
            Err(failure) => failure.into(),
        }
    }

    async fn list_products(
        &self,
        context: Context,
        parameters: ListProductsParameters,
    ) -> ListProductsResponse {
        match self.products(&context, parameters).await {
            Ok(found) => ListProductsResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn create_product(
        &self,
        context: Context,
        body: SubscriptionProductRequest,
    ) -> CreateProductResponse {
        match self.add_product(&context, body).await {
            Ok(created) => CreateProductResponse::Created(created),
            Err(failure) => failure.into(),
        }
    }

    async fn get_product(
        &self,
        context: Context,
        parameters: GetProductParameters,
    ) -> GetProductResponse {
        match self.product(&context, parameters.id.into()).await {
            Ok(found) => GetProductResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn update_product(
        &self,
        context: Context,
        parameters: UpdateProductParameters,
        body: SubscriptionProductUpdate,
    ) -> UpdateProductResponse {
        match self
            .change_product(&context, parameters.id.into(), body)
            .await
        {
            Ok(found) => UpdateProductResponse::Ok(found),
            Err(failure) => failure.into(),
        }
    }

    async fn remove_product(
        &self,
        context: Context,
        parameters: RemoveProductParameters,
    ) -> RemoveProductResponse {
        let removed = match Self::merchant(&context) {
            Ok(merchant) => {
                self.service
                    .remove_product(merchant, parameters.id.into())
                    .await
            }
            Err(rejection) => Err(rejection.into()),
        };
        match removed {
            Ok(()) => RemoveProductResponse::NoContent,
            Err(failure) => failure.into(),
        }
    }
}
