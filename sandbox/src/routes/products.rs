//! Converts products to the models of the contract.

use merchant_payments::models::{
    SubscriptionProduct, SubscriptionProductPage, SubscriptionProductRequest,
    SubscriptionProductUpdate,
};
use merchant_payments::operations::subscriptions::ListProductsParameters;
use merchant_payments::runtime;
use merchant_payments::server::Context;
use uuid::Uuid;

use super::{Operations, page};
use crate::domain::interval::day_of;
use crate::domain::product::{self, Product};
use crate::render::shop::{SHOP, TERMINAL};
use crate::service::{Failure, Owned};

impl Operations {
    pub(super) async fn products(
        &self,
        context: &Context,
        parameters: ListProductsParameters,
    ) -> Result<SubscriptionProductPage, Failure> {
        let page = page::read(
            parameters.items_per_page,
            parameters.page,
            parameters.direction.as_ref(),
            parameters.sort_by.as_ref(),
        )?;
        let found = self
            .service
            .products(Self::merchant(context)?, page)
            .await?;
        let merchant = &found.merchant;
        let data = found.record.iter().map(|product| model(product, merchant));
        Ok(SubscriptionProductPage {
            data: Some(data.collect()),
            meta: Some(page::meta(&page)),
        })
    }

    pub(super) async fn add_product(
        &self,
        context: &Context,
        body: SubscriptionProductRequest,
    ) -> Result<SubscriptionProduct, Failure> {
        let command = product::Create {
            name: body.name,
            description: body.description,
            url: body.url,
            kind: body.r#type.map(|kind| kind.as_str().to_owned()),
        };
        let merchant = Self::merchant(context)?;
        Ok(owned(
            &self.service.create_product(merchant, command).await?,
        ))
    }

    pub(super) async fn product(
        &self,
        context: &Context,
        id: Uuid,
    ) -> Result<SubscriptionProduct, Failure> {
        let merchant = Self::merchant(context)?;
        Ok(owned(&self.service.product(merchant, id).await?))
    }

    pub(super) async fn change_product(
        &self,
        context: &Context,
        id: Uuid,
        body: SubscriptionProductUpdate,
    ) -> Result<SubscriptionProduct, Failure> {
        let merchant = Self::merchant(context)?;
        let changed = self.service.update_product(merchant, id, body.url).await?;
        Ok(owned(&changed))
    }
}

fn owned(product: &Owned<Product>) -> SubscriptionProduct {
    model(&product.record, &product.merchant)
}

fn model(product: &Product, merchant: &str) -> SubscriptionProduct {
    let day = |time| Some(runtime::Date::from(day_of(time)));
    SubscriptionProduct {
        id: Some(product.id.into()),
        merchant_id: Some(merchant.to_owned()),
        shop_id: Some(SHOP.to_owned()),
        terminal_id: Some(TERMINAL.to_owned()),
        name: Some(product.name.clone()),
        description: product.description.clone(),
        url: product.url.clone(),
        r#type: Some(product.kind.as_str().into()),
        // The sandbox has no review of products.
        status: Some("verified".into()),
        created_at: day(product.created_at),
        updated_at: day(product.updated_at),
        deleted_at: None,
    }
}
