//! The operations, on the generated traits: one file for each area.
//!
//! What is here translates: from the models of the contract to commands, and from transactions
//! back to the models. It decides nothing about money.

mod answer;
mod details;
mod fingerprint;
mod offer;
mod outcome;
mod payouts;
mod transaction;
mod transactions;

use std::sync::Arc;

use axum::Router;
use merchant_payments::server::{self, Context};

use crate::domain::{Code, Rejection};
use crate::service::{Failure, Service, Submission};
use crate::store::Tenant;

/// The longest id of a merchant's own, in characters: one that still fits into a path, so that what
/// is made under it can be read again.
const LONGEST_KEY: usize = 255;

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

// What the sandbox does not have yet answers 501.
impl server::Authorization for Operations {}
impl server::Customers for Operations {}
impl server::PaymentLinks for Operations {}
impl server::PaymentMethods for Operations {}
impl server::Subscriptions for Operations {}

impl Operations {
    /// The merchant that the credentials of a request stand for.
    fn tenant(context: &Context) -> Result<Tenant, Rejection> {
        let tenant = context.extensions.get::<Tenant>().copied();
        tenant.ok_or_else(|| Rejection::new(Code::Credentials, "the request has no credentials"))
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
            tenant: Self::tenant(context)?,
            key,
            fingerprint: self.service.fingerprint(&fingerprint::canonical(body)?)?,
            render: transaction::text,
        })
    }
}

/// Whether the path of a re-read can carry the id.
fn is_readable(key: &str) -> bool {
    (1..=LONGEST_KEY).contains(&key.chars().count())
}
