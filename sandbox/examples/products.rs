//! Lists all products, loading pages as needed, with a timeout for each page.
//!
//! `cargo run -p sandbox --example products -- http://127.0.0.1:8080 development-key`
#![allow(clippy::print_stdout, reason = "an example shows what it gets")]

use std::pin::pin;
use std::time::Duration;

use futures_util::TryStreamExt;
use merchant_payments::client::{Client, Settings};

/// The names of products. A page that takes longer than `patience` is an error.
pub(crate) async fn names(
    url: &str,
    key: &str,
    patience: Duration,
) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let client = Client::new(Settings::new(url).api_key(key))?;
    let list = client.subscriptions().list_products().items_per_page(2);
    let mut products = pin!(list.timeout(patience).items());
    let mut names = Vec::new();
    while let Some(product) = products.try_next().await? {
        names.extend(product.name);
    }
    Ok(names)
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, key] = arguments.as_slice() else {
        return Err("expected the address of a sandbox and a key".into());
    };
    for name in names(url, key, Duration::from_secs(5)).await? {
        println!("{name}");
    }
    Ok(())
}
