//! The server side.

pub(crate) mod by_hand;
pub(crate) mod generated;

use std::io::Read;

use merchant_payments::models::{PaymentLinkPage, Transaction};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::example;

/// The fixed answers.
struct Answers {
    purchase: Transaction,
    transaction: Transaction,
    links: PaymentLinkPage,
}

impl Answers {
    fn new() -> anyhow::Result<Self> {
        Ok(Self {
            purchase: example::read("createPurchase.accepted.response")?,
            transaction: example::read("transaction.accepted")?,
            links: example::read("listPaymentLinks.first-page.response")?,
        })
    }
}

#[expect(
    clippy::print_stdout,
    reason = "the parent process waits for the address"
)]
pub(crate) async fn serve(router: axum::Router) -> anyhow::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}", listener.local_addr()?);
    let (closed, end) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = closed.send(());
    });
    tokio::select! {
        result = axum::serve(listener, router) => Ok(result?),
        _ = end => Ok(()),
    }
}
