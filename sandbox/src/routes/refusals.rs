//! Converts failures to the documented responses of each operation.
//!
//! The table has a row for each operation: its success, and each refusal that the contract
//! documents. A row with an undocumented refusal, or without a documented one, does not compile.

use merchant_payments::models::Problem;
use merchant_payments::operations::UnauthenticatedHeaders;
use merchant_payments::runtime::Answer;
use merchant_payments::server::authorization::{
    CalculateAuthorizationResponse, CalculateReversedAuthorizationResponse,
};
use merchant_payments::server::customers::{
    CreateCustomerResponse, CreateInstantTransferRecipientResponse, CreatePayoutCardResponse,
    GetCustomerResponse, GetInstantTransferRecipientResponse, GetPaymentTokenResponse,
    GetSavedPayoutCardResponse, InitialisePayoutCardWidgetResponse,
    ListInstantTransferRecipientsResponse, ListPaymentCardsResponse, ListPaymentTokensResponse,
    ListPayoutCardsResponse, ListRecipientsResponse, ListSavedPayoutCardsResponse,
    RemoveCustomerResponse, RemoveInstantTransferRecipientResponse, RemovePaymentCardResponse,
    RemovePaymentTokenResponse, RemovePayoutCardResponse, RemoveRecipientCardResponse,
    RemoveRecipientResponse, RemoveSavedPayoutCardResponse, UpdateCustomerResponse,
    UpdatePaymentCardResponse, UpdatePayoutCardResponse, UpdateRecipientCardResponse,
    VerifyRecipientCardResponse,
};
use merchant_payments::server::payment_links::{
    CreatePaymentLinkResponse, GetPaymentLinkResponse, ListPaymentLinksResponse,
    UpdatePaymentLinkResponse,
};
use merchant_payments::server::payment_methods::{
    ListPaymentMethodsResponse, ListTerminalsResponse,
};
use merchant_payments::server::payouts::{
    CancelPayoutResponse, CapturePayoutResponse, CreatePayoutResponse,
    GetPayoutByMerchantIdResponse, GetPayoutResponse, RenewPayoutOffersResponse,
    RenewPayoutResponse, SelectPayoutOfferResponse,
};
use merchant_payments::server::reports::{
    CreateReportResponse, GetReportFileResponse, GetReportResponse, ListReportsResponse,
};
use merchant_payments::server::subscriptions::{
    ActivatePlanResponse, CancelSubscriptionResponse, CreatePlanResponse, CreateProductResponse,
    DeactivatePlanResponse, GetPlanResponse, GetProductResponse, GetSubscriptionResponse,
    ListPlansResponse, ListProductsResponse, ListSubscriptionCustomersResponse,
    ListSubscriptionsResponse, RemovePlanResponse, RemoveProductResponse,
    RemoveSubscriptionResponse, UpdateProductResponse,
};
use merchant_payments::server::transactions::{
    CalculateCashbackResponse, CancelTransactionResponse, CaptureTransactionResponse,
    CreatePurchaseResponse, CreateRefundResponse, GetTransactionByMerchantIdResponse,
    GetTransactionResponse, RenewAuthorizationResponse, ValidateWalletSessionResponse,
};

use crate::http::{PROBLEM, SCHEMES, problem};
use crate::service::Failure;

/// A failure with the status of its response.
enum Refusal {
    BadRequest(Problem),
    Unauthorized(Problem),
    Forbidden(Problem),
    NotFound(Problem),
    Conflict(Problem),
    UnsupportedMediaType(Problem),
    UnprocessableContent(Problem),
    /// The service failed, which the contract does not document.
    Trouble(Problem),
}

impl Refusal {
    fn of(failure: Failure) -> Self {
        let problem = problem(failure);
        match problem.status {
            400 => Self::BadRequest(problem),
            401 => Self::Unauthorized(problem),
            403 => Self::Forbidden(problem),
            404 => Self::NotFound(problem),
            409 => Self::Conflict(problem),
            415 => Self::UnsupportedMediaType(problem),
            422 => Self::UnprocessableContent(problem),
            _ => Self::Trouble(problem),
        }
    }

    /// The response for a status that the contract does not document. A refusal here is a defect,
    /// which certification finds.
    fn undocumented(self) -> Answer {
        let (Self::BadRequest(problem)
        | Self::Unauthorized(problem)
        | Self::Forbidden(problem)
        | Self::NotFound(problem)
        | Self::Conflict(problem)
        | Self::UnsupportedMediaType(problem)
        | Self::UnprocessableContent(problem)
        | Self::Trouble(problem)) = self;
        if problem.status < 500 {
            tracing::error!(status = problem.status, code = %problem.code, "the contract does not document this refusal");
        }
        Answer::json(
            u16::try_from(problem.status).unwrap_or(500),
            PROBLEM,
            &problem,
        )
    }
}

macro_rules! refusals {
    ($($answer:ident: $success:ident, Unauthorized $(, $status:ident)*;)*) => {
        $(
            impl From<Failure> for $answer {
                fn from(failure: Failure) -> Self {
                    match Refusal::of(failure) {
                        Refusal::Unauthorized(problem) => {
                            let www_authenticate = Some(SCHEMES.to_owned());
                            Self::Unauthorized(problem, UnauthenticatedHeaders { www_authenticate })
                        }
                        $(Refusal::$status(problem) => Self::$status(problem),)*
                        other => Self::Other(other.undocumented()),
                    }
                }
            }

            /// The row lists every response of the contract.
            const _: fn(&$answer) = |answer| match answer {
                $answer::$success { .. } | $answer::Unauthorized { .. } | $answer::Other(_) => {}
                $($answer::$status { .. } => {})*
            };
        )*
    };
}

refusals! {
    // Authorization.
    CalculateAuthorizationResponse: Ok, Unauthorized, BadRequest, Forbidden, NotFound, UnsupportedMediaType, UnprocessableContent;
    CalculateReversedAuthorizationResponse: Ok, Unauthorized, BadRequest, Forbidden, NotFound, UnsupportedMediaType, UnprocessableContent;

    // Customers.
    ListPayoutCardsResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    CreatePayoutCardResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    InitialisePayoutCardWidgetResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    RemovePayoutCardResponse: NoContent, Unauthorized, BadRequest, NotFound, UnprocessableContent;
    UpdatePayoutCardResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    CreateCustomerResponse: Created, Unauthorized, BadRequest, Conflict, UnsupportedMediaType, UnprocessableContent;
    GetCustomerResponse: Ok, Unauthorized, NotFound;
    RemoveCustomerResponse: NoContent, Unauthorized, NotFound;
    UpdateCustomerResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    ListPaymentCardsResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    RemovePaymentCardResponse: NoContent, Unauthorized, BadRequest, NotFound;
    UpdatePaymentCardResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    ListPaymentTokensResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    GetPaymentTokenResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemovePaymentTokenResponse: NoContent, Unauthorized, BadRequest, NotFound;
    ListSavedPayoutCardsResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    GetSavedPayoutCardResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemoveSavedPayoutCardResponse: NoContent, Unauthorized, BadRequest, NotFound;
    ListRecipientsResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    VerifyRecipientCardResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    RemoveRecipientCardResponse: NoContent, Unauthorized, BadRequest, NotFound;
    UpdateRecipientCardResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    RemoveRecipientResponse: NoContent, Unauthorized, BadRequest, NotFound;
    ListInstantTransferRecipientsResponse: Ok, Unauthorized, NotFound, UnprocessableContent;
    CreateInstantTransferRecipientResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    GetInstantTransferRecipientResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemoveInstantTransferRecipientResponse: NoContent, Unauthorized, BadRequest, NotFound;

    // Payment links.
    ListPaymentLinksResponse: Ok, Unauthorized, UnprocessableContent;
    CreatePaymentLinkResponse: Created, Unauthorized, BadRequest, UnsupportedMediaType, UnprocessableContent;
    GetPaymentLinkResponse: Ok, Unauthorized, BadRequest, NotFound;
    UpdatePaymentLinkResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;

    // Payment methods.
    ListPaymentMethodsResponse: Ok, Unauthorized, UnprocessableContent;
    ListTerminalsResponse: Ok, Unauthorized, UnprocessableContent;

    // Payouts.
    CreatePayoutResponse: Created, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    CancelPayoutResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    CapturePayoutResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    GetPayoutByMerchantIdResponse: Ok, Unauthorized, NotFound;
    RenewPayoutOffersResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    SelectPayoutOfferResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    RenewPayoutResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    GetPayoutResponse: Ok, Unauthorized, BadRequest, NotFound;

    // Reports.
    ListReportsResponse: Ok, Unauthorized, UnprocessableContent;
    CreateReportResponse: Created, Unauthorized, BadRequest, UnsupportedMediaType, UnprocessableContent;
    GetReportResponse: Ok, Unauthorized, BadRequest, NotFound;
    GetReportFileResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict;

    // Subscriptions.
    ListSubscriptionsResponse: Ok, Unauthorized, UnprocessableContent;
    ListSubscriptionCustomersResponse: Ok, Unauthorized, UnprocessableContent;
    ListPlansResponse: Ok, Unauthorized, UnprocessableContent;
    CreatePlanResponse: Created, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    GetPlanResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemovePlanResponse: NoContent, Unauthorized, BadRequest, NotFound, Conflict;
    ActivatePlanResponse: Ok, Unauthorized, BadRequest, NotFound;
    DeactivatePlanResponse: Ok, Unauthorized, BadRequest, NotFound;
    ListProductsResponse: Ok, Unauthorized, UnprocessableContent;
    CreateProductResponse: Created, Unauthorized, BadRequest, UnsupportedMediaType, UnprocessableContent;
    GetProductResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemoveProductResponse: NoContent, Unauthorized, BadRequest, NotFound, Conflict;
    UpdateProductResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;
    GetSubscriptionResponse: Ok, Unauthorized, BadRequest, NotFound;
    RemoveSubscriptionResponse: NoContent, Unauthorized, BadRequest, NotFound;
    CancelSubscriptionResponse: Ok, Unauthorized, BadRequest, NotFound, UnsupportedMediaType, UnprocessableContent;

    // Transactions.
    CreatePurchaseResponse: Created, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    CalculateCashbackResponse: Ok, Unauthorized, BadRequest, UnsupportedMediaType, UnprocessableContent;
    CancelTransactionResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    CaptureTransactionResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    GetTransactionByMerchantIdResponse: Ok, Unauthorized, NotFound;
    CreateRefundResponse: Created, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    RenewAuthorizationResponse: Ok, Unauthorized, BadRequest, NotFound, Conflict, UnsupportedMediaType, UnprocessableContent;
    ValidateWalletSessionResponse: Ok, Unauthorized, BadRequest, UnsupportedMediaType, UnprocessableContent;
    GetTransactionResponse: Ok, Unauthorized, BadRequest, NotFound;
}
