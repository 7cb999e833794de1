//! The programs in `examples/` that call a sandbox.

use std::time::Duration;

use merchant_payments::client::{Client, Settings};
use merchant_payments::models::SubscriptionProductRequest;
use sandbox::Sandbox;
use tokio::net::TcpListener;

#[path = "../../examples/pay.rs"]
#[allow(dead_code, reason = "its main is not called here")]
mod pay;
#[path = "../../examples/products.rs"]
#[allow(dead_code, reason = "its main is not called here")]
mod products;

#[tokio::test(flavor = "multi_thread")]
async fn a_merchant_is_paid_and_pays_back() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let said = pay::pay(&sandbox.url, sandbox.api_key).await.unwrap();
    let expected = "ACCEPTED, refund ACCEPTED; the server answered 422 Unprocessable Entity: ";
    assert!(said.starts_with(expected), "{said}");
    assert!(
        said.len() > expected.len() && said.contains("/amount"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_is_a_stream_with_a_timeout_for_each_page() {
    let sandbox = Sandbox::spawn().await.unwrap();
    let settings = Settings::new(&sandbox.url).api_key(sandbox.api_key);
    let subscriptions = Client::new(settings).unwrap().subscriptions();
    let expected: Vec<String> = (0..5).map(|number| format!("Product {number}")).collect();
    for name in &expected {
        let request = SubscriptionProductRequest::new(name);
        subscriptions.create_product(&request).await.unwrap();
    }
    let patience = Duration::from_secs(30);
    let names = products::names(&sandbox.url, sandbox.api_key, patience).await;
    assert_eq!(names.unwrap(), expected);

    // Accepts connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let names = products::names(&url, "key", Duration::from_millis(50)).await;
    let error = names.unwrap_err().to_string();
    assert!(error.starts_with("no answer: "), "{error}");
}
