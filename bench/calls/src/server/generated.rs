//! The server with generated stubs.

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
    async fn create_purchase(
        &self,
        _context: Context,
        _body: PurchaseRequest,
    ) -> CreatePurchaseResponse {
        let headers = CreatePurchaseCreatedHeaders::default();
        CreatePurchaseResponse::Created(self.purchase.clone(), headers)
    }

    async fn get_transaction(
        &self,
        _context: Context,
        _parameters: GetTransactionParameters,
    ) -> GetTransactionResponse {
        GetTransactionResponse::Ok(self.transaction.clone())
    }
}

impl PaymentLinks for Answers {
    async fn list_payment_links(
        &self,
        _context: Context,
        _parameters: ListPaymentLinksParameters,
    ) -> ListPaymentLinksResponse {
        ListPaymentLinksResponse::Ok(self.links.clone())
    }
}
