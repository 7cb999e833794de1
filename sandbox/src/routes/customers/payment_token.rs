//! Tokens that represent saved cards.

use merchant_payments::models::{PaymentToken, PaymentTokenPage};
use merchant_payments::operations::customers::{
    GetPaymentTokenParameters, ListPaymentTokensParameters, RemovePaymentTokenParameters,
};
use merchant_payments::runtime::Uuid;
use merchant_payments::server::Context;

use crate::domain::expiry::Expiry;
use crate::routes::Operations;
use crate::routes::page::{meta, page_of};
use crate::service::Failure;
use crate::store::payment_tokens::{self, SORTED};

/// The channel of card payments.
const CHANNEL: &str = "PCL_CARD";

impl Operations {
    pub(super) async fn show_payment_tokens(
        &self,
        context: &Context,
        parameters: ListPaymentTokensParameters,
    ) -> Result<PaymentTokenPage, Failure> {
        let page = page_of!(parameters, SORTED)?;
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let tokens = self
            .service
            .payment_tokens(merchant, customer, page)
            .await?;
        Ok(PaymentTokenPage {
            data: Some(tokens.into_iter().map(model).collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn show_payment_token(
        &self,
        context: &Context,
        parameters: GetPaymentTokenParameters,
    ) -> Result<PaymentToken, Failure> {
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let token = (*parameters.token.expose()).into();
        let found = self.service.payment_token(merchant, customer, token);
        Ok(model(found.await?))
    }

    pub(super) async fn drop_payment_token(
        &self,
        context: &Context,
        parameters: RemovePaymentTokenParameters,
    ) -> Result<(), Failure> {
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let token = (*parameters.token.expose()).into();
        let removed = self.service.remove_payment_token(merchant, customer, token);
        removed.await
    }
}

fn model(token: payment_tokens::PaymentToken) -> PaymentToken {
    PaymentToken {
        customer_id: Some(token.customer.into()),
        card_id: Some(token.card_id.into()),
        first_transaction_id: Some(token.first_transaction.into()),
        payment_channel: Some(CHANNEL.into()),
        organization: Some(token.card.organization.as_str().into()),
        last4: Some(token.card.last4),
        exp_month: token.card.expiry.map(Expiry::month),
        exp_year: token.card.expiry.map(Expiry::year),
        created_at: Some(token.created_at.into()),
        ..PaymentToken::new(Uuid::from(token.token))
    }
}
