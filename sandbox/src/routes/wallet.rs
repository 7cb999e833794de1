//! Wallet sessions.

use std::collections::BTreeMap;

use merchant_payments::models::{
    PaymentChannel, PaymentMethod, WalletSession, WalletSessionRequest,
};
use merchant_payments::server::Context;
use serde_json::{Value, json};
use uuid::Uuid;

use super::Operations;
use crate::domain::wallet::{self, Request};
use crate::service::Failure;

impl Operations {
    /// Creates a random session for the merchant's page. Nothing is stored, and no wallet is
    /// contacted.
    pub(super) async fn wallet_session(
        &self,
        context: &Context,
        body: WalletSessionRequest,
    ) -> Result<WalletSession, Failure> {
        let merchant = Self::merchant(context)?;
        wallet::check(&Request {
            method: body.payment_method.as_ref().map(PaymentMethod::as_str),
            channel: body.payment_channel.as_ref().map(PaymentChannel::as_str),
            validation_url: body.validation_url.as_str(),
            domain: &body.domain_name,
            display_name: body.display_name.as_deref(),
        })?;
        let now = self.service.clock(merchant).await?;
        let expires_at = now.checked_add(wallet::LIFETIME).unwrap_or(now);
        let mut session = BTreeMap::from([
            ("merchantSessionIdentifier", random()),
            ("nonce", random()),
            ("merchantIdentifier", json!(parent(&body.domain_name))),
            ("domainName", json!(body.domain_name)),
            ("signature", random()),
        ]);
        if let Some(name) = body.display_name {
            session.insert("displayName", json!(name));
        }
        let session = session
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        Ok(WalletSession {
            expires_at: expires_at.into(),
            merchant_session: session.collect(),
        })
    }
}

/// The domain without its first label, unless only one label would be left.
fn parent(domain: &str) -> &str {
    match domain.split_once('.') {
        Some((_, rest)) if rest.contains('.') => rest,
        _ => domain,
    }
}

fn random() -> Value {
    json!(Uuid::new_v4().simple().to_string())
}
