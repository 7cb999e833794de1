//! The code of a merchant's developer: the generated client with a running sandbox.
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use merchant_payments::client::transactions::{
    CancelTransactionError, CreateRefundError, GetTransactionError,
};
use merchant_payments::client::{Client, Settings};
use merchant_payments::models::{
    CancelRequest, OfferSelectionRequest, OffersRenewRequest, PaymentChannel, PayoutRequest,
    PurchaseRequest, RefundRequest, SubscriptionProductRequest, Transaction, TransactionStatus,
};
use merchant_payments::runtime::{Decimal, Uuid};

/// A sandbox on a free port that ends with the test.
struct Sandbox {
    child: Child,
    client: Client,
    _folder: tempfile::TempDir,
}

impl Sandbox {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = format!("sqlite://{}", folder.path().join("sandbox.db").display());
        let mut child = Command::new(env!("CARGO_BIN_EXE_sandbox"))
            .args([
                "--listen",
                "127.0.0.1:0",
                "--database",
                &database,
                "--api-key",
                "key",
            ])
            .env("SANDBOX_LOG", "off")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut url)
            .unwrap();
        let client = Client::new(Settings::new(url.trim()).api_key("key")).unwrap();
        Self {
            child,
            client,
            _folder: folder,
        }
    }

    async fn purchase(&self, amount: &str, outcome: Option<&str>) -> Transaction {
        let mut request = PurchaseRequest::builder()
            .amount(Decimal::new(amount).unwrap())
            .currency("EUR")
            .build()
            .payment_channel(PaymentChannel::Card);
        request.fraud_fields = outcome
            .map(|outcome| BTreeMap::from([("sandbox.outcome".to_owned(), outcome.to_owned())]));
        self.client
            .transactions()
            .create_purchase(&request)
            .await
            .unwrap()
            .body
    }
}

fn refund(purchase: Uuid, amount: &str) -> RefundRequest {
    RefundRequest::builder()
        .transaction_id(purchase)
        .amount(Decimal::new(amount).unwrap())
        .currency("EUR")
        .build()
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[tokio::test]
async fn a_purchase_is_created_refunded_and_read_again() {
    let sandbox = Sandbox::start();
    let transactions = sandbox.client.transactions();
    let purchase = sandbox.purchase("10.00", None).await;
    assert_eq!(purchase.status, TransactionStatus::Accepted);
    assert_eq!(purchase.amount.as_ref().unwrap().as_str(), "10.00");

    let part = refund(purchase.id, "4.00");
    let refund = transactions.create_refund(&part).await.unwrap();
    assert_eq!(refund.status.as_u16(), 201);
    assert_eq!(refund.body.parent_transaction_id, Some(purchase.id));

    let again = transactions
        .get_transaction(purchase.id)
        .request_id("re-read")
        .await
        .unwrap();
    assert_eq!(again.headers["request-id"], "re-read");
    assert_eq!(again.body.refunds.unwrap().len(), 1);
}

#[tokio::test]
async fn a_decline_is_an_answer_and_a_refusal_a_typed_error() {
    let sandbox = Sandbox::start();
    let transactions = sandbox.client.transactions();
    let declined = sandbox.purchase("10.00", Some("reject;code=E1006")).await;
    assert_eq!(declined.status, TransactionStatus::Rejected);
    assert_eq!(declined.reject_code.as_deref(), Some("E1006"));

    let purchase = sandbox.purchase("10.00", None).await;
    let too_much = refund(purchase.id, "10.01");
    let error = transactions.create_refund(&too_much).await.unwrap_err();
    let Some(CreateRefundError::UnprocessableContent(problem)) = error.refusal() else {
        panic!("not a refusal for its amount: {error}");
    };
    assert_eq!(problem.code, "E1004");
    let words = format!(
        "the server answered 422 Unprocessable Entity: {}",
        problem.title
    );
    assert!(error.to_string().starts_with(&words), "{error}");

    let unknown = Uuid::new("5b1d7c0e-3c5f-4a0e-9d8a-0d2c1b7e6f54").unwrap();
    let error = transactions.get_transaction(unknown).await.unwrap_err();
    assert!(
        matches!(error.refusal(), Some(GetTransactionError::NotFound(_))),
        "{error}"
    );
}

#[tokio::test]
async fn a_purchase_is_cancelled_once() {
    let sandbox = Sandbox::start();
    let transactions = sandbox.client.transactions();
    let waiting = sandbox.purchase("10.00", Some("pending")).await;
    let target = CancelRequest::default().transaction_id(waiting.id);
    let cancelled = transactions.cancel_transaction(&target).await.unwrap();
    assert_eq!(cancelled.body.status, TransactionStatus::Cancelled);
    let error = transactions.cancel_transaction(&target).await.unwrap_err();
    let Some(CancelTransactionError::Conflict(problem)) = error.refusal() else {
        panic!("not a refusal for its state: {error}");
    };
    assert_eq!(problem.code, "E1409");
}

#[tokio::test]
async fn the_customer_is_sent_where_the_purchase_says() {
    let sandbox = Sandbox::start();
    let asked = sandbox.purchase("10.00", Some("3ds")).await;
    let data = asked.merchant_action.and_then(|action| action.data);
    let url = data.and_then(|data| data.redirect_url);
    assert!(url.is_some() && url == asked.redirect_url);
    assert_eq!(
        asked.actions.and_then(|actions| actions.redirect),
        Some(true)
    );
}

#[tokio::test]
async fn a_payout_is_captured_on_the_selected_offer() {
    let sandbox = Sandbox::start();
    let payouts = sandbox.client.payouts();
    let request = PayoutRequest::builder()
        .merchant_transaction_id("payout-1")
        .amount(Decimal::new("250.00").unwrap())
        .currency("EUR")
        .customer_with(|customer| customer)
        .payment_channel(PaymentChannel::Crypto)
        .payment_specific_data_with(|data| data)
        .build();
    let made = payouts.create_payout(&request).await.unwrap().body;
    let target = OffersRenewRequest::default().transaction_id(made.id);
    let offers = payouts.renew_payout_offers(&target).await.unwrap().body;
    let (offer, attempt) = (&offers[1], offers[1].last_attempt.as_ref().unwrap());
    let choice = OfferSelectionRequest::builder()
        .attempt_id(attempt.attempt_id.unwrap())
        .psp_id(offer.psp_id.clone().unwrap())
        .terms_uuid(offer.terms_uuid.unwrap())
        .build()
        .transaction_id(made.id);
    let selected = payouts.select_payout_offer(&choice).await.unwrap().body;
    let taken = selected.meta.and_then(|meta| meta.selected_offer).unwrap();
    assert_eq!(taken.psp_id, offer.psp_id);
}

#[tokio::test]
async fn a_list_is_read_page_by_page_to_its_end() {
    let sandbox = Sandbox::start();
    let subscriptions = sandbox.client.subscriptions();
    let mut made = Vec::new();
    for number in 0..23 {
        let request = SubscriptionProductRequest::new(format!("Product {number}"));
        let product = subscriptions.create_product(&request).await.unwrap().body;
        made.push(product.id);
    }
    for size in [None, Some(1), Some(5), Some(23), Some(100)] {
        let mut request = subscriptions.list_products();
        if let Some(size) = size {
            request = request.items_per_page(size);
        }
        let (mut items, mut listed) = (request.items(), Vec::new());
        while let Some(product) = items.next().await {
            listed.push(product.unwrap().id);
        }
        assert_eq!(
            listed, made,
            "{size:?} on a page: a gap, a repeat, or another order"
        );
    }
}
