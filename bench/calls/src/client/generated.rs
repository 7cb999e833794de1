//! The client with generated calls.

use merchant_payments::client::{Client, Settings};
use merchant_payments::models::PaymentLinkStatus;
use merchant_payments::runtime::Uuid;
use merchant_payments::runtime::client::RetryPolicy;

use super::{KEY, TRANSACTION};
use crate::{Operation, example};

pub(crate) async fn call(operation: Operation, count: u32, url: String) -> anyhow::Result<()> {
    // The handwritten calls have no retries either.
    let settings = Settings::new(url).api_key(KEY).retries(RetryPolicy::off());
    let client = Client::new(settings)?;
    match operation {
        Operation::CreatePurchase => {
            let body = example::read("createPurchase.accepted.request")?;
            let transactions = client.transactions();
            for _ in 0..count {
                transactions.create_purchase(&body).await?;
            }
        }
        Operation::GetTransaction => {
            let id = Uuid::new(TRANSACTION)?;
            let transactions = client.transactions();
            for _ in 0..count {
                transactions.get_transaction(id).await?;
            }
        }
        Operation::ListPaymentLinks => {
            let links = client.payment_links();
            for _ in 0..count {
                let request = links.list_payment_links().currency("EUR");
                let request = request.customer_email("customer@merchant.example");
                let request = request.status(PaymentLinkStatus::Active);
                request.page(1).items_per_page(10).await?;
            }
        }
    }
    Ok(())
}
