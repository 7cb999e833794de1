//! Payouts and their offers.

use merchant_payments::models::{
    CancelRequest, OfferSelectionRequest, OffersRenewRequest, PayoutCaptureRequest, PayoutOffer,
    PayoutRenewalRequest, PayoutRequest, Transaction,
};
use merchant_payments::operations::payouts::{
    CancelPayoutOkHeaders, CancelPayoutParameters, CapturePayoutOkHeaders, CapturePayoutParameters,
    CreatePayoutCreatedHeaders, GetPayoutByMerchantIdParameters, GetPayoutParameters,
    RenewPayoutOffersOkHeaders, RenewPayoutOffersParameters, RenewPayoutOkHeaders,
    RenewPayoutParameters, SelectPayoutOfferOkHeaders, SelectPayoutOfferParameters,
};
use merchant_payments::server::payouts::{
    CancelPayoutResponse, CapturePayoutResponse, CreatePayoutResponse,
    GetPayoutByMerchantIdResponse, GetPayoutResponse, RenewPayoutOffersResponse,
    RenewPayoutResponse, SelectPayoutOfferResponse,
};
use merchant_payments::server::{Context, Payouts};

use super::transactions::transaction_of;
use super::{Operations, details, outcome, saved_card, web_address};
use crate::details::TransactionDetails;
use crate::domain::payout::Choice;
use crate::domain::quote::Authorized;
use crate::domain::{Rejection, amount};
use crate::render::offer;
use crate::service::payouts::Redirection;
use crate::service::{Answer, Failure, RequestedOutcomes, Target, payouts};
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
            Err(failure) => failure.into(),
        }
    }

    async fn get_payout(
        &self,
        context: Context,
        parameters: GetPayoutParameters,
    ) -> GetPayoutResponse {
        let target = Target::Id(parameters.id.into());
        match self.reread(&context, Collection::Payouts, target).await {
            Ok(transaction) => GetPayoutResponse::Ok(transaction),
            Err(failure) => failure.into(),
        }
    }

    async fn get_payout_by_merchant_id(
        &self,
        context: Context,
        parameters: GetPayoutByMerchantIdParameters,
    ) -> GetPayoutByMerchantIdResponse {
        let target = Target::Key(parameters.merchant_transaction_id);
        match self.reread(&context, Collection::Payouts, target).await {
            Ok(transaction) => GetPayoutByMerchantIdResponse::Ok(transaction),
            Err(failure) => failure.into(),
        }
    }

    async fn capture_payout(
        &self,
        context: Context,
        parameters: CapturePayoutParameters,
        body: PayoutCaptureRequest,
    ) -> CapturePayoutResponse {
        match self
            .carry_out(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                CapturePayoutResponse::Ok(
                    transaction,
                    CapturePayoutOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn renew_payout_offers(
        &self,
        context: Context,
        parameters: RenewPayoutOffersParameters,
        body: OffersRenewRequest,
    ) -> RenewPayoutOffersResponse {
        match self
            .offers(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((offers, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                RenewPayoutOffersResponse::Ok(
                    offers,
                    RenewPayoutOffersOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn select_payout_offer(
        &self,
        context: Context,
        parameters: SelectPayoutOfferParameters,
        body: OfferSelectionRequest,
    ) -> SelectPayoutOfferResponse {
        match self
            .select(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                SelectPayoutOfferResponse::Ok(
                    transaction,
                    SelectPayoutOfferOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn renew_payout(
        &self,
        context: Context,
        parameters: RenewPayoutParameters,
        body: PayoutRenewalRequest,
    ) -> RenewPayoutResponse {
        match self
            .try_again(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                RenewPayoutResponse::Ok(
                    transaction,
                    RenewPayoutOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn cancel_payout(
        &self,
        context: Context,
        parameters: CancelPayoutParameters,
        body: CancelRequest,
    ) -> CancelPayoutResponse {
        match self
            .call_payout_off(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                CancelPayoutResponse::Ok(
                    transaction,
                    CancelPayoutOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }
}

impl Operations {
    async fn payout(
        &self,
        context: &Context,
        mut body: PayoutRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let key = Some(body.merchant_transaction_id.clone());
        let submission = self.submission(context, key, &body)?;
        self.check_receiver(body.custom_ipn_url.as_deref())?;
        let back = body.payment_specific_data.return_url.as_ref();
        web_address::check_given(back, "/paymentSpecificData/returnUrl")?;
        let money = amount::read(body.amount.as_str(), &body.currency)?;
        let (destination, card_info) = self.destination(context, &mut body).await?;
        let fields = body.fraud_fields.as_ref();
        let authorized = match &body.authorization {
            Some(given) => {
                let parts = (&given.session_id, &given.amount, &given.currency);
                self.authorized(context, parts).await?
            }
            None => Authorized::default(),
        };
        let described = TransactionDetails {
            card_info,
            ..details::with_quote(details::of_payout(&body, money)?, &authorized)
        };
        let command = payouts::Create {
            destination,
            money,
            payment_channel: Some(body.payment_channel.as_str().to_owned()),
            authorized,
            planned: outcome::planned(fields)?,
            requested: requested(context, &body)?,
            customer: details::customer(Some(&body.customer), &described),
            details: Box::new(described),
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        transaction_of(self.service.create_payout(submission, command).await?)
    }

    async fn carry_out(
        &self,
        context: &Context,
        key: Option<String>,
        body: PayoutCaptureRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let outcome = outcome::of_call(context)?;
        let address = body
            .capture_specific_data
            .and_then(|data| data.destination_address);
        let redirection = redirection(address, None)?;
        let answer = self
            .service
            .capture_payout(caller, target, outcome, redirection)
            .await?;
        transaction_of(answer)
    }

    async fn select(
        &self,
        context: &Context,
        key: Option<String>,
        body: OfferSelectionRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let choice = Choice {
            provider_id: body.psp_id,
            attempt_id: body.attempt_id.into(),
            terms_uuid: body.terms_uuid.into(),
        };
        let answer = self
            .service
            .select_payout_offer(caller, target, choice)
            .await?;
        transaction_of(answer)
    }

    async fn try_again(
        &self,
        context: &Context,
        key: Option<String>,
        body: PayoutRenewalRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let outcome = outcome::of_call(context)?;
        let data = body.payment_specific_data.unwrap_or_default();
        let redirection = redirection(data.destination_address, data.destination_address_memo)?;
        let answer = self
            .service
            .renew_payout(caller, target, outcome, redirection)
            .await?;
        transaction_of(answer)
    }

    async fn call_payout_off(
        &self,
        context: &Context,
        key: Option<String>,
        body: CancelRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let answer = self.service.cancel_payout(caller, target).await?;
        transaction_of(answer)
    }

    async fn offers(
        &self,
        context: &Context,
        key: Option<String>,
        body: OffersRenewRequest,
    ) -> Result<(Vec<PayoutOffer>, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        Ok(match self.service.renew_offers(caller, target).await? {
            Answer::Made(offers) => (offers.iter().map(offer::model).collect(), false),
            Answer::Replayed(body) => (offer::again(&body)?, true),
        })
    }
}

/// The requested outcomes of a payout. The customer's name has no effect, because no customer is
/// asked.
fn requested(context: &Context, body: &PayoutRequest) -> Result<RequestedOutcomes, Rejection> {
    let fields = body.fraud_fields.as_ref();
    let mut requested = outcome::of_creation(context, fields, Some(&body.customer))?;
    requested.by_name = requested
        .by_name
        .filter(|outcome| !outcome.needs_customer());
    Ok(requested)
}

/// Checks the new destination of a payout.
fn redirection(address: Option<String>, memo: Option<String>) -> Result<Redirection, Rejection> {
    if let Some(address) = &address {
        saved_card::check_destination(address)?;
    }
    Ok(Redirection { address, memo })
}
