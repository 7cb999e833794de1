//! Implements the generated traits: one file for each area.
//!
//! This module translates models of the contract to commands, and records back to models. It
//! decides nothing about money.

// A new operation of the contract has a default method that answers 501; this lint reports it.
#![warn(clippy::missing_trait_methods)]

mod authorization;
mod cashback;
mod customers;
mod details;
mod fingerprint;
mod order;
mod outcome;
mod page;
mod payment_links;
mod payment_methods;
mod payouts;
mod plans;
mod products;
mod receiver;
mod refusals;
mod reports;
mod saved_card;
mod subscription_model;
mod subscriptions;
mod transactions;
mod wallet;
mod web_address;

use std::sync::Arc;

use axum::Router;
use merchant_payments::models::PurchaseRequest;
use merchant_payments::server::{self, Context};

use crate::domain::{Code, Rejection};
use crate::service::{Caller, CommandKey, Failure, Service, Submission};
use crate::store::{Merchant, StoreError};

/// The length limit of a merchant's id, in characters. A longer id would not fit into the path that
/// reads its record.
const LONGEST_KEY: usize = 255;

/// The default channel of a purchase, and the channel of a payment link's purchase.
const DEFAULT_CHANNEL: &str = "PCL_CARD";

/// Implements the operations of every area.
#[derive(Debug)]
struct Operations {
    service: Arc<Service>,
}

/// A router with every operation.
pub fn operations(service: &Arc<Service>) -> Router {
    server::router(&Arc::new(Operations {
        service: Arc::clone(service),
    }))
}

impl Operations {
    /// The authenticated merchant of a request.
    fn merchant(context: &Context) -> Result<Merchant, Rejection> {
        let merchant = context.extensions.get::<Merchant>().copied();
        merchant.ok_or_else(|| Rejection::new(Code::Credentials, "the request has no credentials"))
    }

    /// The caller of a command, with the idempotency key of the request.
    fn caller(
        &self,
        context: &Context,
        key: Option<String>,
        body: &impl serde::Serialize,
    ) -> Result<Caller, Failure> {
        let key = key.map(|name| {
            Ok::<_, StoreError>(CommandKey {
                operation: context.operation.id,
                name,
                fingerprint: self.service.fingerprint(&fingerprint::canonical(body)?)?,
            })
        });
        Ok(Caller {
            merchant: Self::merchant(context)?,
            key: key.transpose()?,
        })
    }

    /// A request to create a record, which takes effect once for each of the merchant's ids.
    ///
    /// An id that could not be used to read the record is refused.
    fn submission(
        &self,
        context: &Context,
        key: Option<String>,
        body: &impl serde::Serialize,
    ) -> Result<Submission, Failure> {
        if key.as_ref().is_some_and(|key| !is_readable(key)) {
            let detail = format!("a merchantTransactionId has 1 to {LONGEST_KEY} characters");
            let pointer = "/merchantTransactionId";
            return Err(Rejection::at(Code::ContractViolation, pointer, detail).into());
        }
        Ok(Submission {
            merchant: Self::merchant(context)?,
            key,
            fingerprint: self.service.fingerprint(&fingerprint::canonical(body)?)?,
        })
    }
}

/// The channel of a purchase.
fn channel(body: &PurchaseRequest) -> &str {
    let channel = body.payment_channel.as_ref();
    channel.map_or(DEFAULT_CHANNEL, |name| name.as_str())
}

/// Whether the path that reads a record can contain the id.
fn is_readable(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.chars().count())
}
