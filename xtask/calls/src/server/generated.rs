//! On the generated server stubs.

use std::future::ready;
use std::sync::Arc;

use merchant_payments::models::PurchaseRequest;
use merchant_payments::operations::payment_links::ListPaymentLinksParameters;
use merchant_payments::operations::transactions::{
    CreatePurchaseCreatedHeaders, GetTransactionParameters,
};
use merchant_payments::server::payment_links::ListPaymentLinksResponse;
use merchant_payments::server::transactions::{CreatePurchaseResponse, GetTransactionResponse};
use merchant_payments::server::{Context, PaymentLinks, Transactions, payment_links, transactions};

use super::Answers;

pub(crate) fn router() -> anyhow::Result<axum::Router> {
    let answers = Arc::new(Answers::new()?);
    let routes = transactions::routes(&answers).merge(payment_links::routes(&answers));
    Ok(routes.into_router())
}

impl Transactions for Answers {
    fn create_purchase(
        &self,
        _context: Context,
        _body: PurchaseRequest,
    ) -> impl Future<Output = CreatePurchaseResponse> + Send {
        let headers = CreatePurchaseCreatedHeaders::default();
        ready(CreatePurchaseResponse::Created(
            self.purchase.clone(),
            headers,
        ))
    }

    fn get_transaction(
        &self,
        _context: Context,
        _parameters: GetTransactionParameters,
    ) -> impl Future<Output = GetTransactionResponse> + Send {
        ready(GetTransactionResponse::Ok(self.transaction.clone()))
    }
}

impl PaymentLinks for Answers {
    fn list_payment_links(
        &self,
        _context: Context,
        _parameters: ListPaymentLinksParameters,
    ) -> impl Future<Output = ListPaymentLinksResponse> + Send {
        ready(ListPaymentLinksResponse::Ok(self.links.clone()))
    }
}
