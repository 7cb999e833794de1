//! Purchases, captures, renewed authorizations, cancellations and refunds.

use merchant_payments::models::{
    CancelRequest, CaptureRequest, CashbackCalculationRequest, PurchaseAuthorizationType,
    PurchaseRequest, RefundRequest, RenewAuthorizationRequest, Transaction, WalletSessionRequest,
};
use merchant_payments::operations::transactions::{
    CancelTransactionOkHeaders, CancelTransactionParameters, CaptureTransactionOkHeaders,
    CaptureTransactionParameters, CreatePurchaseCreatedHeaders, CreateRefundCreatedHeaders,
    CreateRefundParameters, GetTransactionByMerchantIdParameters, GetTransactionParameters,
    RenewAuthorizationOkHeaders, RenewAuthorizationParameters,
};
use merchant_payments::server::transactions::{
    CalculateCashbackResponse, CancelTransactionResponse, CaptureTransactionResponse,
    CreatePurchaseResponse, CreateRefundResponse, GetTransactionByMerchantIdResponse,
    GetTransactionResponse, RenewAuthorizationResponse, ValidateWalletSessionResponse,
};
use merchant_payments::server::{Context, Transactions};

use super::{Operations, channel, details, order, outcome, web_address};
use crate::domain::amount::{self, RequestedAmount};
use crate::domain::cvv::Cvv;
use crate::domain::expiry::Expiry;
use crate::domain::quote::Authorized;
use crate::domain::{Code, Rejection};
use crate::render::transaction;
use crate::service::card_use::CardUse;
use crate::service::{Answer, Failure, Target, purchases, refunds};

use crate::store::Collection;

/// The possible lengths of a security code.
const CVV_LENGTHS: [usize; 2] = [3, 4];

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
            Err(failure) => failure.into(),
        }
    }

    async fn capture_transaction(
        &self,
        context: Context,
        parameters: CaptureTransactionParameters,
        body: CaptureRequest,
    ) -> CaptureTransactionResponse {
        match self
            .capture(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                CaptureTransactionResponse::Ok(
                    transaction,
                    CaptureTransactionOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn get_transaction(
        &self,
        context: Context,
        parameters: GetTransactionParameters,
    ) -> GetTransactionResponse {
        let target = Target::Id(parameters.id.into());
        match self
            .reread(&context, Collection::Transactions, target)
            .await
        {
            Ok(transaction) => GetTransactionResponse::Ok(transaction),
            Err(failure) => failure.into(),
        }
    }

    async fn get_transaction_by_merchant_id(
        &self,
        context: Context,
        parameters: GetTransactionByMerchantIdParameters,
    ) -> GetTransactionByMerchantIdResponse {
        let target = Target::Key(parameters.merchant_transaction_id);
        match self
            .reread(&context, Collection::Transactions, target)
            .await
        {
            Ok(transaction) => GetTransactionByMerchantIdResponse::Ok(transaction),
            Err(failure) => failure.into(),
        }
    }

    async fn renew_authorization(
        &self,
        context: Context,
        parameters: RenewAuthorizationParameters,
        body: RenewAuthorizationRequest,
    ) -> RenewAuthorizationResponse {
        match self.renew(&context, parameters.idempotency_key, body).await {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                RenewAuthorizationResponse::Ok(
                    transaction,
                    RenewAuthorizationOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn create_refund(
        &self,
        context: Context,
        parameters: CreateRefundParameters,
        body: RefundRequest,
    ) -> CreateRefundResponse {
        let key = parameters.idempotency_key;
        match self.refund(&context, key, body).await {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                let headers = CreateRefundCreatedHeaders {
                    idempotent_replayed,
                };
                CreateRefundResponse::Created(transaction, headers)
            }
            Err(failure) => failure.into(),
        }
    }

    async fn cancel_transaction(
        &self,
        context: Context,
        parameters: CancelTransactionParameters,
        body: CancelRequest,
    ) -> CancelTransactionResponse {
        match self
            .call_off(&context, parameters.idempotency_key, body)
            .await
        {
            Ok((transaction, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                CancelTransactionResponse::Ok(
                    transaction,
                    CancelTransactionOkHeaders {
                        idempotent_replayed,
                    },
                )
            }
            Err(failure) => failure.into(),
        }
    }

    async fn validate_wallet_session(
        &self,
        context: Context,
        body: WalletSessionRequest,
    ) -> ValidateWalletSessionResponse {
        match self.wallet_session(&context, body).await {
            Ok(session) => ValidateWalletSessionResponse::Ok(session),
            Err(failure) => failure.into(),
        }
    }

    async fn calculate_cashback(
        &self,
        context: Context,
        body: CashbackCalculationRequest,
    ) -> CalculateCashbackResponse {
        match Self::cashback(&context, body) {
            Ok(calculated) => CalculateCashbackResponse::Ok(calculated),
            Err(failure) => failure.into(),
        }
    }
}

impl Operations {
    async fn purchase(
        &self,
        context: &Context,
        mut body: PurchaseRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let key = body.merchant_transaction_id.clone();
        let submission = self.submission(context, key, &body)?;
        self.check_receiver(body.custom_ipn_url.as_deref())?;
        let paying = self.paying(context, &mut body).await?;
        let data = body.payment_specific_data.as_ref();
        let back = data.and_then(|data| data.return_verify_url.as_ref());
        web_address::check_given(back, "/paymentSpecificData/returnVerifyUrl")?;
        let plan = order::plan(data);
        let money = match plan {
            // A trial may be free.
            Some(_) => amount::read_or_nothing(body.amount.as_str(), &body.currency)?,
            None => amount::read(body.amount.as_str(), &body.currency)?,
        };
        let fields = body.fraud_fields.as_ref();
        let authorized = match &body.authorization {
            Some(given) => {
                let parts = (&given.session_id, &given.amount, &given.currency);
                self.authorized(context, parts).await?
            }
            None => Authorized::default(),
        };
        let mut described = details::with_quote(details::of_purchase(&body, money)?, &authorized);
        paying.describe(&mut described);
        let command = purchases::Create {
            money,
            payment_channel: Some(channel(&body).to_owned()),
            two_step: two_step(&body)?,
            authorized,
            planned: outcome::planned(fields)?,
            requested: outcome::of_creation(context, fields, body.customer.as_ref())?,
            card: CardUse {
                left: paying.left,
                ..card(&body)?
            },
            skip_authentication: data.and_then(|data| data.skip3ds).unwrap_or_default(),
            customer: details::customer(body.customer.as_ref(), &described),
            subscription: plan
                .map(|plan| order::order(plan, &body, &described))
                .transpose()?,
            details: Box::new(described),
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        let created = self.service.create_purchase(submission, command);
        transaction_of(created.await?)
    }

    async fn capture(
        &self,
        context: &Context,
        key: Option<String>,
        body: CaptureRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let wanted = RequestedAmount {
            amount: body.amount.map(|amount| amount.as_str().to_owned()),
            currency: body.currency,
        };
        let outcome = outcome::of_call(context)?;
        let answer = self
            .service
            .capture_purchase(caller, target, wanted, outcome)
            .await?;
        transaction_of(answer)
    }

    async fn renew(
        &self,
        context: &Context,
        key: Option<String>,
        body: RenewAuthorizationRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let outcome = outcome::of_call(context)?;
        let answer = self.service.renew_purchase(caller, target, outcome).await?;
        transaction_of(answer)
    }

    async fn call_off(
        &self,
        context: &Context,
        key: Option<String>,
        body: CancelRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let id = body.transaction_id.map(Into::into);
        let target = Target::new(id, body.merchant_transaction_id)?;
        let answer = self.service.cancel_transaction(caller, target).await?;
        transaction_of(answer)
    }

    async fn refund(
        &self,
        context: &Context,
        key: Option<String>,
        body: RefundRequest,
    ) -> Result<(Transaction, bool), Failure> {
        let caller = self.caller(context, key, &body)?;
        let key = body.merchant_transaction_id.clone();
        let submission = self.submission(context, key, &body)?;
        let command = refunds::Create {
            purchase: body.transaction_id.into(),
            amount: RequestedAmount {
                amount: Some(body.amount.as_str().to_owned()),
                currency: Some(body.currency.clone()),
            },
            outcome: outcome::of_call(context)?,
            details: Box::new(details::of_refund(&body)),
            origin_merchant_transaction_id: body.origin_merchant_transaction_id,
        };
        let service = &self.service;
        transaction_of(service.create_refund(caller, submission, command).await?)
    }

    /// The present state of a transaction.
    pub(super) async fn reread(
        &self,
        context: &Context,
        collection: Collection,
        target: Target,
    ) -> Result<Transaction, Failure> {
        let view = self
            .service
            .find(Self::merchant(context)?, collection, target)
            .await?;
        Ok(transaction::model(&view))
    }
}

/// The created transaction, and whether an earlier request created it.
pub(super) fn transaction_of(answer: Answer) -> Result<(Transaction, bool), Failure> {
    Ok(match answer {
        Answer::Made(view) => (transaction::model(&view), false),
        Answer::Replayed(body) => (transaction::again(&body)?, true),
    })
}

/// The card of a purchase. The security code is checked but not stored.
fn card(body: &PurchaseRequest) -> Result<CardUse, Rejection> {
    let Some(data) = &body.payment_specific_data else {
        return Ok(CardUse::default());
    };
    let card = data.card.as_ref();
    let (mut wrong, mut expiry) = (Vec::new(), None);
    if let Some(text) = card.and_then(|card| card.expiry_date.as_deref()) {
        match Expiry::parse(text) {
            Ok(month) => expiry = Some(month),
            Err(error) => wrong.push(refused("expiryDate", error.to_string())),
        }
    }
    if let Some(cvv) = card.and_then(|card| card.cvv.as_ref())
        && !CVV_LENGTHS
            .iter()
            .any(|length| Cvv::from_integer(*cvv.expose(), *length).is_ok())
    {
        wrong.push(refused("cvv", "is no security code".to_owned()));
    }
    Rejection::collected(wrong)?;
    Ok(CardUse {
        token: data
            .card_token
            .as_ref()
            .map(|token| (*token.expose()).into()),
        expiry,
        left: None,
    })
}

fn refused(name: &str, detail: String) -> Rejection {
    let pointer = format!("/paymentSpecificData/card/{name}");
    Rejection::at(Code::ContractViolation, &pointer, detail)
}

/// Whether the money is held first. An unknown type is refused, because a capture instead of a hold
/// would be worse.
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
