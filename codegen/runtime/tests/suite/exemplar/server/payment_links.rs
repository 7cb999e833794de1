//! Server stubs of the area `payment-links`.

use std::future::ready;
use std::sync::Arc;

use crate::models::{PaymentLinkList, Problem};
use crate::operations::payment_links::{LIST_PAYMENT_LINKS, ListPaymentLinksParameters};
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// Payment links.
pub trait PaymentLinks: Send + Sync + 'static {
    /// Lists payment links.
    ///
    /// `GET /v1/payment-links`
    fn list_payment_links(
        &self,
        context: Context,
        parameters: ListPaymentLinksParameters,
    ) -> impl Future<Output = ListPaymentLinksResponse> + Send {
        let _ = parameters;
        ready(ListPaymentLinksResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: PaymentLinks>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&LIST_PAYMENT_LINKS, implementation, list_payment_links)
}

/// A router of the area.
pub fn router<T: PaymentLinks>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `listPaymentLinks`.
#[derive(Clone, Debug)]
pub enum ListPaymentLinksResponse {
    /// 200: the links.
    Ok(PaymentLinkList),
    /// 422: a parameter breaks the contract.
    UnprocessableContent(Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<ListPaymentLinksResponse> for Answer {
    fn from(response: ListPaymentLinksResponse) -> Self {
        match response {
            ListPaymentLinksResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            ListPaymentLinksResponse::UnprocessableContent(ref body) => {
                Answer::json(422, "application/problem+json", body)
            }
            ListPaymentLinksResponse::Other(answer) => answer,
        }
    }
}

async fn list_payment_links<T: PaymentLinks>(
    implementation: Arc<T>,
    mut call: Call,
) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation
        .list_payment_links(context, parameters)
        .await
        .into())
}
