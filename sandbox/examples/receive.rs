//! A merchant's receiver of notifications: verifies, parses and types them.
//!
//! `SIGNING_SECRET=whsec_… cargo run -p sandbox --example receive` listens on port 9090.
#![allow(clippy::print_stdout, reason = "an example shows what it gets")]

use std::sync::Arc;

use merchant_payments::models::Notification;
use merchant_payments::operations::callbacks::NotificationParameters;
use merchant_payments::runtime::signature::Secrets;
use merchant_payments::server::callbacks::{NotificationResponse, receive_notification};
use merchant_payments::server::{Callbacks, Context};

struct Shop;

impl Callbacks for Shop {
    async fn notification(
        &self,
        _context: Context,
        parameters: NotificationParameters,
        body: Notification,
    ) -> NotificationResponse {
        println!("{}: {:?}", parameters.webhook_id, body.r#type);
        NotificationResponse::Success(204)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let secrets = Secrets::new(&std::env::var("SIGNING_SECRET")?)?;
    let router = receive_notification("/told", &Arc::new(Shop), secrets).into_router();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:9090").await?;
    axum::serve(listener, router).await?;
    Ok(())
}
