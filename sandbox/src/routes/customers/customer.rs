//! The operations on customers themselves.

use merchant_payments::models::{
    MerchantCustomer, MerchantCustomerDetails, MerchantCustomerRequest,
};
use merchant_payments::operations::customers::{
    GetCustomerParameters, RemoveCustomerParameters, UpdateCustomerParameters,
};
use merchant_payments::server::Context;

use crate::domain::{Rejection, customer};
use crate::routes::Operations;
use crate::service::Failure;
use crate::store::CustomerRecord;

impl Operations {
    pub(super) async fn add_customer(
        &self,
        context: &Context,
        body: MerchantCustomerRequest,
    ) -> Result<MerchantCustomer, Failure> {
        let email = body.email.as_deref().and_then(customer::check_email);
        let wrong = customer::check_id(&body.merchant_customer_id);
        Rejection::collected(wrong.into_iter().chain(email).collect())?;
        let details = MerchantCustomerDetails {
            addresses: body.addresses,
            email: body.email,
            first_name: body.first_name,
            last_name: body.last_name,
            phone: body.phone,
        };
        let (merchant, id) = (Self::merchant(context)?, body.merchant_customer_id);
        let added = self.service.add_customer(merchant, id, details.into());
        Ok(model(added.await?))
    }

    pub(super) async fn show_customer(
        &self,
        context: &Context,
        parameters: GetCustomerParameters,
    ) -> Result<MerchantCustomer, Failure> {
        let merchant = Self::merchant(context)?;
        let id = parameters.merchant_customer_id;
        Ok(model(self.service.customer(merchant, id).await?))
    }

    pub(super) async fn change_customer(
        &self,
        context: &Context,
        parameters: UpdateCustomerParameters,
        body: MerchantCustomerDetails,
    ) -> Result<MerchantCustomer, Failure> {
        let wrong = body.email.as_deref().and_then(customer::check_email);
        Rejection::collected(wrong.into_iter().collect())?;
        let (merchant, id) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let changed = self.service.update_customer(merchant, id, body.into());
        Ok(model(changed.await?))
    }

    pub(super) async fn drop_customer(
        &self,
        context: &Context,
        parameters: RemoveCustomerParameters,
    ) -> Result<(), Failure> {
        let merchant = Self::merchant(context)?;
        let id = parameters.merchant_customer_id;
        self.service.remove_customer(merchant, id).await
    }
}

fn model(customer: CustomerRecord) -> MerchantCustomer {
    let details: MerchantCustomerDetails = customer.details.into();
    MerchantCustomer {
        addresses: details.addresses,
        created_at: Some(customer.created_at.into()),
        email: details.email,
        first_name: details.first_name,
        last_name: details.last_name,
        phone: details.phone,
        updated_at: Some(customer.updated_at.into()),
        ..MerchantCustomer::builder()
            .id(customer.id)
            .merchant_customer_id(customer.merchant_customer_id)
            .build()
    }
}
