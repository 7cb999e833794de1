//! Purchases, captures, renewed authorizations and refunds.

use merchant_payments::models::{
    CaptureRequest, PurchaseAuthorizationType, PurchaseRequest, RefundRequest,
    RenewAuthorizationRequest, Transaction,
};
use merchant_payments::operations::transactions::{
    CreatePurchaseCreatedHeaders, CreateRefundCreatedHeaders, GetTransactionByMerchantIdParameters,
    GetTransactionParameters,
};
use merchant_payments::server::transactions::{
    CaptureTransactionResponse, CreatePurchaseResponse, CreateRefundResponse,
    GetTransactionByMerchantIdResponse, GetTransactionResponse, RenewAuthorizationResponse,
};
use merchant_payments::server::{Context, Transactions};

use super::details::{self, Details};
use super::{Operations, answer, outcome, transaction};
use crate::domain::amount::{self, Wanted};
use crate::domain::{Code, Rejection};
use crate::service::{Answer, Failure, Target, purchases, refunds};
use crate::store::Collection;

/// The channel of a purchase that names none.
const DEFAULT_CHANNEL: &str = "PCL_CARD";

impl Transactions for Operations {
    async fn create_purchase(
        &self,
        context: Context,
        body: PurchaseRequest,
    ) -> CreatePurchaseResponse {
        match self.purchase(&context, body).await {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                let headers = CreatePurchaseCreatedHeaders {
                    idempotent_replayed,
                };
                CreatePurchaseResponse::Created(transaction, headers)
            }
            Err(failure) => CreatePurchaseResponse::Other(answer::failed(failure)),
        }
    }

    async fn capture_transaction(
        &self,
        context: Context,
        body: CaptureRequest,
    ) -> CaptureTransactionResponse {
        match self.capture(&context, body).await {
            Ok(transaction) => CaptureTransactionResponse::Ok(transaction),
            Err(failure) => CaptureTransactionResponse::Other(answer::failed(failure)),
        }
    }

    async fn get_transaction(
        &self,
        context: Context,
        parameters: GetTransactionParameters,
    ) -> GetTransactionResponse {
        let target = Target::Id(parameters.id.into());
        match self.reread(&context, Collection::Transactions, &target) {
            Ok(transaction) => GetTransactionResponse::Ok(transaction),
            Err(failure) => GetTransactionResponse::Other(answer::failed(failure)),
        }
    }

    async fn get_transaction_by_merchant_id(
        &self,
        context: Context,
        parameters: GetTransactionByMerchantIdParameters,
    ) -> GetTransactionByMerchantIdResponse {
        let target = Target::Key(parameters.merchant_transaction_id);
        match self.reread(&context, Collection::Transactions, &target) {
            Ok(transaction) => GetTransactionByMerchantIdResponse::Ok(transaction),
            Err(failure) => GetTransactionByMerchantIdResponse::Other(answer::failed(failure)),
        }
    }

    async fn renew_authorization(
        &self,
        context: Context,
        body: RenewAuthorizationRequest,
    ) -> RenewAuthorizationResponse {
        match self.renew(&context, body).await {
            Ok(transaction) => RenewAuthorizationResponse::Ok(transaction),
            Err(failure) => RenewAuthorizationResponse::Other(answer::failed(failure)),
        }
    }

    async fn create_refund(&self, context: Context, body: RefundRequest) -> CreateRefundResponse {
        match self.refund(&context, body).await {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                let headers = CreateRefundCreatedHeaders {
                    idempotent_replayed,
                };
                CreateRefundResponse::Created(transaction, headers)
            }
            Err(failure) => CreateRefundResponse::Other(answer::failed(failure)),
        }
    }
}

impl Operations {
    async fn purchase(
        &self,
        context: &Context,
        body: PurchaseRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let key = body.merchant_transaction_id.clone();
        let submission = self.submission(context, key, &body)?;
        let money = amount::read(body.amount.as_str(), &body.currency)?;
        let data = body.payment_specific_data.as_ref();
        let plan = data
            .and_then(|data| data.subscription.as_ref())
            .and_then(|plan| plan.plan_id);
        if plan.is_some() {
            // No operation makes plans yet.
            return Err(Rejection::unknown("plan").into());
        }
        let token = data.and_then(|data| data.card_token.as_ref());
        let fields = body.fraud_fields.as_ref();
        let described = Details::of_purchase(&body, money)?;
        let channel = body
            .payment_channel
            .as_ref()
            .map_or(DEFAULT_CHANNEL, |name| name.as_str());
        let command = purchases::Create {
            money,
            payment_channel: Some(channel.to_owned()),
            two_step: two_step(&body)?,
            planned: outcome::planned(fields)?,
            outcome: outcome::of_creation(
                context,
                fields,
                token.map(|token| (*token.expose()).into()),
            )?,
            customer: details::customer(body.customer.as_ref(), &described),
            details: described.text()?,
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        made(self.service.create_purchase(submission, command).await?)
    }

    async fn capture(
        &self,
        context: &Context,
        body: CaptureRequest,
    ) -> Result<Transaction, Failure> {
        let tenant = Self::tenant(context)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let wanted = Wanted {
            amount: body.amount.map(|amount| amount.as_str().to_owned()),
            currency: body.currency,
        };
        let outcome = outcome::of_call(context)?;
        let view = self
            .service
            .capture_purchase(tenant, target, wanted, outcome)
            .await?;
        Ok(transaction::model(&view)?)
    }

    async fn renew(
        &self,
        context: &Context,
        body: RenewAuthorizationRequest,
    ) -> Result<Transaction, Failure> {
        let tenant = Self::tenant(context)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let outcome = outcome::of_call(context)?;
        let view = self.service.renew_purchase(tenant, target, outcome).await?;
        Ok(transaction::model(&view)?)
    }

    async fn refund(
        &self,
        context: &Context,
        body: RefundRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let key = body.merchant_transaction_id.clone();
        let submission = self.submission(context, key, &body)?;
        let command = refunds::Create {
            purchase: body.transaction_id.into(),
            amount: Wanted {
                amount: Some(body.amount.as_str().to_owned()),
                currency: Some(body.currency.clone()),
            },
            outcome: outcome::of_call(context)?,
            details: Details::of_refund(&body).text()?,
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        made(self.service.create_refund(submission, command).await?)
    }

    /// A transaction as it is now.
    pub(super) fn reread(
        &self,
        context: &Context,
        collection: Collection,
        target: &Target,
    ) -> Result<Transaction, Failure> {
        let view = self
            .service
            .find(Self::tenant(context)?, collection, target)?;
        Ok(transaction::model(&view)?)
    }
}

/// The transaction that was made, and whether an earlier request made it.
pub(super) fn made(answer: Answer) -> Result<(Transaction, bool), Failure> {
    Ok(match answer {
        Answer::Made(view) => (transaction::model(&view)?, false),
        Answer::Replayed(body) => (transaction::again(&body)?, true),
    })
}

/// Whether the money is to be held first. A word that is not known is refused: to take money that
/// was only to be held would be worse.
fn two_step(body: &PurchaseRequest) -> Result<bool, Rejection> {
    let authorization = body.authorization.as_ref();
    let kind = authorization.and_then(|authorization| authorization.r#type.as_ref());
    match kind.map(PurchaseAuthorizationType::as_str) {
        None | Some("DIRECT") => Ok(false),
        Some("TWO_STEP") => Ok(true),
        Some(_) => {
            let detail = "the type of an authorization is DIRECT or TWO_STEP";
            Err(Rejection::at(
                Code::ContractViolation,
                "/authorization/type",
                detail,
            ))
        }
    }
}
