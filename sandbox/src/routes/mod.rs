//! The operations, on the generated traits: one file for each area.
//!
//! What is here translates: from the models of the contract to commands, and from transactions
//! back to the models. It decides nothing about money.

// An operation that is new in the contract has a method that answers 501: here it is named instead.
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

/// The longest id of a merchant's own, in characters: one that still fits into a path, so that what
/// is made under it can be read again.
const LONGEST_KEY: usize = 255;

/// The channel of a purchase that names none, and of the purchase of a payment link.
const DEFAULT_CHANNEL: &str = "PCL_CARD";

/// The implementation of every area.
#[derive(Debug)]
struct Operations {
    service: Arc<Service>,
}

/// Every operation, as a router.
pub fn operations(service: &Arc<Service>) -> Router {
    server::router(&Arc::new(Operations {
        service: Arc::clone(service),
    }))
}

impl Operations {
    /// The merchant that the credentials of a request stand for.
    fn merchant(context: &Context) -> Result<Merchant, Rejection> {
        let merchant = context.extensions.get::<Merchant>().copied();
        merchant.ok_or_else(|| Rejection::new(Code::Credentials, "the request has no credentials"))
    }

    /// Who gives a command, which takes effect once for each key.
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

    /// A request to create something, made once for each of the merchant's ids.
    ///
    /// An id by which nothing could be read again is refused.
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

/// The channel that a purchase goes through.
fn channel(body: &PurchaseRequest) -> &str {
    let channel = body.payment_channel.as_ref();
    channel.map_or(DEFAULT_CHANNEL, |name| name.as_str())
}

/// Whether the path of a re-read can carry the id.
fn is_readable(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.chars().count())
}
