//! The recipients of a customer's instant transfers.

use merchant_payments::models::{
    InstantTransferRecipient, InstantTransferRecipientPage, InstantTransferRecipientRequest,
};
use merchant_payments::operations::customers::{
    CreateInstantTransferRecipientParameters, GetInstantTransferRecipientParameters,
    ListInstantTransferRecipientsParameters, RemoveInstantTransferRecipientParameters,
};
use merchant_payments::server::Context;

use crate::details::InstantRecipientDetails;
use crate::domain::currency::Currency;
use crate::domain::{Code, Rejection, customer};
use crate::routes::Operations;
use crate::routes::page::{meta, page_of};
use crate::service::Failure;
use crate::service::instant_recipients::Add;
use crate::store::Merchant;
use crate::store::instant_recipients::{InstantRecipient, SORTED};

/// The identifier type of a wallet that is named by a telephone number.
const TELEPHONE: &str = "mobile_number";
/// The default status of a recipient.
const VERIFIED: &str = "verified";

impl Operations {
    pub(super) async fn add_instant_recipient(
        &self,
        context: &Context,
        parameters: CreateInstantTransferRecipientParameters,
        body: InstantTransferRecipientRequest,
    ) -> Result<InstantTransferRecipient, Failure> {
        check(&body)?;
        let details = InstantRecipientDetails {
            status: body
                .status
                .map_or_else(|| VERIFIED.to_owned(), |status| status.as_str().to_owned()),
            entity_type: body.entity_type.map(|kind| kind.as_str().to_owned()),
            verification_status: body.verification_status,
            verification_date: body.verification_date,
        };
        let add = Add {
            name: body.name,
            currency: body.currency,
            proxy_type: body.proxy_type.as_str().to_owned(),
            proxy_value: body.proxy_value,
            details,
        };
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let added = self
            .service
            .add_instant_recipient(merchant, customer.clone(), add);
        Ok(model(added.await?, merchant, customer))
    }

    pub(super) async fn show_instant_recipients(
        &self,
        context: &Context,
        parameters: ListInstantTransferRecipientsParameters,
    ) -> Result<InstantTransferRecipientPage, Failure> {
        let page = page_of!(parameters, SORTED)?;
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let listed = self
            .service
            .instant_recipients(merchant, customer.clone(), page);
        let data = { listed.await?.into_iter() }
            .map(|recipient| model(recipient, merchant, customer.clone()));
        Ok(InstantTransferRecipientPage {
            data: Some(data.collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn show_instant_recipient(
        &self,
        context: &Context,
        parameters: GetInstantTransferRecipientParameters,
    ) -> Result<InstantTransferRecipient, Failure> {
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let id = parameters.id.into();
        let found = self
            .service
            .instant_recipient(merchant, customer.clone(), id);
        Ok(model(found.await?, merchant, customer))
    }

    pub(super) async fn drop_instant_recipient(
        &self,
        context: &Context,
        parameters: RemoveInstantTransferRecipientParameters,
    ) -> Result<(), Failure> {
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let id = parameters.id.into();
        let removed = self
            .service
            .remove_instant_recipient(merchant, customer, id);
        removed.await
    }
}

fn check(body: &InstantTransferRecipientRequest) -> Result<(), Rejection> {
    let currency = Currency::parse(&body.currency).err();
    let currency =
        currency.map(|error| Rejection::at(Code::AmountRule, "/currency", error.to_string()));
    let proxy = match body.proxy_type.as_str() {
        TELEPHONE => customer::check_telephone(&body.proxy_value, "/proxyValue"),
        _ => customer::check_name(&body.proxy_value, "/proxyValue"),
    };
    let wrong = [
        customer::check_name(&body.name, "/name"),
        currency,
        customer::check_name(body.proxy_type.as_str(), "/proxyType"),
        proxy,
    ];
    Rejection::collected(wrong.into_iter().flatten().collect())
}

fn model(
    recipient: InstantRecipient,
    merchant: Merchant,
    customer: String,
) -> InstantTransferRecipient {
    let details = recipient.details;
    InstantTransferRecipient {
        id: Some(recipient.id.into()),
        customer_id: Some(recipient.customer.into()),
        merchant_id: Some(format!("merchant-{}", merchant.0)),
        shop_id: Some("shop-1".to_owned()),
        terminal_id: Some("terminal-1".to_owned()),
        tenant_id: Some(format!("tenant-{}", merchant.0)),
        transaction_type: Some("TRT_PAYOUT".to_owned()),
        external_id: Some(customer),
        name: Some(recipient.name),
        currency: Some(recipient.currency),
        verification_status: details.verification_status,
        verification_date: details.verification_date,
        status: Some(details.status.as_str().into()),
        entity_type: details.entity_type.as_deref().map(Into::into),
        proxy_type: Some(recipient.proxy_type.as_str().into()),
        proxy_value: Some(recipient.proxy_value),
        created_at: Some(recipient.created_at.into()),
        updated_at: Some(recipient.updated_at.into()),
        deleted_at: None,
    }
}
