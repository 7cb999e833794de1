//! Payouts and their offers.

use merchant_payments::models::{
    OffersRenewRequest, PayoutCaptureRequest, PayoutOffer, PayoutRequest, Transaction,
};
use merchant_payments::operations::payouts::{
    CreatePayoutCreatedHeaders, GetPayoutByMerchantIdParameters, GetPayoutParameters,
};
use merchant_payments::server::payouts::{
    CapturePayoutResponse, CreatePayoutResponse, GetPayoutByMerchantIdResponse, GetPayoutResponse,
    RenewPayoutOffersResponse,
};
use merchant_payments::server::{Context, Payouts};

use super::details::{self, Details};
use super::transactions::made;
use super::{Operations, answer, offer, outcome, transaction};
use crate::domain::amount;
use crate::service::{Failure, Target, payouts};
use crate::store::Collection;

impl Payouts for Operations {
    async fn create_payout(&self, context: Context, body: PayoutRequest) -> CreatePayoutResponse {
        match self.payout(&context, body).await {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                let headers = CreatePayoutCreatedHeaders {
                    idempotent_replayed,
                };
                CreatePayoutResponse::Created(transaction, headers)
            }
            Err(failure) => CreatePayoutResponse::Other(answer::failed(failure)),
        }
    }

    async fn get_payout(
        &self,
        context: Context,
        parameters: GetPayoutParameters,
    ) -> GetPayoutResponse {
        let target = Target::Id(parameters.id.into());
        match self.reread(&context, Collection::Payouts, &target) {
            Ok(transaction) => GetPayoutResponse::Ok(transaction),
            Err(failure) => GetPayoutResponse::Other(answer::failed(failure)),
        }
    }

    async fn get_payout_by_merchant_id(
        &self,
        context: Context,
        parameters: GetPayoutByMerchantIdParameters,
    ) -> GetPayoutByMerchantIdResponse {
        let target = Target::Key(parameters.merchant_transaction_id);
        match self.reread(&context, Collection::Payouts, &target) {
            Ok(transaction) => GetPayoutByMerchantIdResponse::Ok(transaction),
            Err(failure) => GetPayoutByMerchantIdResponse::Other(answer::failed(failure)),
        }
    }

    async fn capture_payout(
        &self,
        context: Context,
        body: PayoutCaptureRequest,
    ) -> CapturePayoutResponse {
        match self.carry_out(&context, body).await {
            Ok(transaction) => CapturePayoutResponse::Ok(transaction),
            Err(failure) => CapturePayoutResponse::Other(answer::failed(failure)),
        }
    }

    async fn renew_payout_offers(
        &self,
        context: Context,
        body: OffersRenewRequest,
    ) -> RenewPayoutOffersResponse {
        match self.offers(&context, body).await {
            Ok(offers) => RenewPayoutOffersResponse::Ok(offers),
            Err(failure) => RenewPayoutOffersResponse::Other(answer::failed(failure)),
        }
    }
}

impl Operations {
    async fn payout(
        &self,
        context: &Context,
        body: PayoutRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let key = Some(body.merchant_transaction_id.clone());
        let submission = self.submission(context, key, &body)?;
        let money = amount::read(body.amount.as_str(), &body.currency)?;
        let fields = body.fraud_fields.as_ref();
        let described = Details::of_payout(&body, money)?;
        let command = payouts::Create {
            money,
            payment_channel: Some(body.payment_channel.as_str().to_owned()),
            planned: outcome::planned(fields)?,
            outcome: outcome::of_creation(context, fields, None)?,
            customer: details::customer(Some(&body.customer), &described),
            details: described.text()?,
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        made(self.service.create_payout(submission, command).await?)
    }

    async fn carry_out(
        &self,
        context: &Context,
        body: PayoutCaptureRequest,
    ) -> Result<Transaction, Failure> {
        let tenant = Self::tenant(context)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let outcome = outcome::of_call(context)?;
        let address = body
            .capture_specific_data
            .and_then(|data| data.destination_address);
        let redirect = move |details: String| match address {
            Some(address) => {
                let mut details = Details::read(&details)?;
                details.meta.get_or_insert_default().destination_address = Some(address);
                Ok(details.text()?)
            }
            None => Ok(details),
        };
        let view = self
            .service
            .capture_payout(tenant, target, outcome, redirect)
            .await?;
        Ok(transaction::model(&view)?)
    }

    async fn offers(
        &self,
        context: &Context,
        body: OffersRenewRequest,
    ) -> Result<Vec<PayoutOffer>, Failure> {
        let tenant = Self::tenant(context)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let offers = self
            .service
            .renew_offers(tenant, target, destination)
            .await?;
        Ok(offers.iter().map(offer::model).collect())
    }
}

/// The currency that the recipient gets.
fn destination(details: &str) -> Option<String> {
    Details::read(details).ok()?.meta?.destination_currency
}
