//! Pays, refunds a part, and shows the refusal of a refund that is too large.
//!
//! `cargo run -p sandbox --example pay -- http://127.0.0.1:8080 development-key`
#![allow(clippy::print_stdout, reason = "an example shows what it gets")]

use merchant_payments::client::{Client, Settings};
use merchant_payments::models::{PaymentChannel, PurchaseRequest, RefundRequest};
use merchant_payments::runtime::{Decimal, Uuid};

pub(crate) async fn pay(url: &str, key: &str) -> Result<String, Box<dyn std::error::Error>> {
    let transactions = Client::new(Settings::new(url).api_key(key))?.transactions();
    let purchase = PurchaseRequest::builder()
        .amount(Decimal::new("12.50")?)
        .currency("EUR")
        .build()
        .payment_channel(PaymentChannel::Card)
        .customer_with(|customer| customer.email("ada@shop.example"));
    let purchase = transactions.create_purchase(&purchase).await?.body;
    let refund = |purchase: Uuid, amount: Decimal| {
        let refund = RefundRequest::builder().transaction_id(purchase);
        refund.amount(amount).currency("EUR").build()
    };
    let part = refund(purchase.id, Decimal::new("2.50")?);
    let refunded = transactions.create_refund(&part).await?.body;
    let whole = refund(purchase.id, Decimal::new("12.50")?);
    match transactions.create_refund(&whole).await {
        Ok(_) => Err("more was refunded than was paid".into()),
        Err(error) => Ok(format!(
            "{}, refund {}; {error}",
            purchase.status, refunded.status
        )),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, key] = arguments.as_slice() else {
        return Err("expected the address of a sandbox and a key".into());
    };
    println!("{}", pay(url, key).await?);
    Ok(())
}
