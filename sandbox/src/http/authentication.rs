//! Authenticates requests by an API key, or by HTTP Basic with that key as the password.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::ValueEnum;
use http::{HeaderMap, StatusCode, header};

use super::problem;
use crate::contract::Contract;
use crate::exchanges::Recorder;
use crate::service::{Failure, Service};
use crate::store::{self, Credential, Merchant, StoreError};

/// Which operations require credentials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Demand {
    /// Every operation.
    #[default]
    Everywhere,
    /// Operations whose samples show credentials. A call of another operation without credentials
    /// acts for the default merchant.
    AsSampled,
}

/// Authenticates requests. It knows keys only by their keyed hashes, so comparisons leak no timing.
#[derive(Clone, Debug)]
pub struct Authentication {
    service: Arc<Service>,
    demand: Demand,
    /// The merchant of calls that need no credentials and bring none.
    default_merchant: Merchant,
    known: Arc<RwLock<HashMap<[u8; 32], Credential>>>,
}

impl Authentication {
    /// Authenticates for a service; `default_merchant` is the merchant of calls without credentials.
    pub fn new(service: Arc<Service>, demand: Demand, default_merchant: Merchant) -> Self {
        Self {
            service,
            demand,
            default_merchant,
            known: Arc::default(),
        }
    }

    /// The merchant of a request; `needs_none` says whether its operation accepts calls without
    /// credentials.
    async fn merchant(
        &self,
        headers: &HeaderMap,
        needs_none: bool,
    ) -> Result<Option<Merchant>, StoreError> {
        if !headers.contains_key(header::AUTHORIZATION) {
            return Ok(needs_none.then_some(self.default_merchant));
        }
        self.of_credentials(headers).await
    }

    fn needs_none(&self, request: &Request) -> bool {
        let (contract, method) = (Contract::bundled(), request.method().as_str());
        self.demand == Demand::AsSampled && {
            contract.operations().find(method, request.uri().path())
        }
        .is_some_and(|operation| contract.is_sampled_open(operation.id))
    }

    /// The merchant of the request's credentials; `None` when they are invalid.
    async fn of_credentials(&self, headers: &HeaderMap) -> Result<Option<Merchant>, StoreError> {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let Some(value) = values.next().filter(|_| values.next().is_none()) else {
            return Ok(None);
        };
        if let Some(credential) = self.by_key(value.as_bytes()).await? {
            return Ok(Some(credential.merchant));
        }
        let Some((username, password)) = basic(value.as_bytes()) else {
            return Ok(None);
        };
        let credential = self.by_key(&password).await?;
        let credential = credential.filter(|found| found.username.as_bytes() == username);
        Ok(credential.map(|credential| credential.merchant))
    }

    async fn by_key(&self, key: &[u8]) -> Result<Option<Credential>, StoreError> {
        let hash = self.service.hash_key(key)?;
        if let Some(credential) = self.known(&hash) {
            return Ok(Some(credential));
        }
        let found = self
            .service
            .store()
            .read(move |connection| store::find_credential(connection, &hash))
            .await?;
        if let Some(credential) = &found {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            known.insert(hash, credential.clone());
        }
        Ok(found)
    }
}

impl Authentication {
    fn known(&self, hash: &[u8; 32]) -> Option<Credential> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(hash).cloned()
    }
}

/// Authenticates a request, or answers 401.
pub(super) async fn require(
    State(authentication): State<Authentication>,
    mut request: Request,
    next: Next,
) -> Response {
    let needs_none = authentication.needs_none(&request);
    match authentication.merchant(request.headers(), needs_none).await {
        Ok(Some(merchant)) => {
            if let Some(recorder) = request.extensions().get::<Recorder>() {
                recorder.merchant(merchant);
            }
            request.extensions_mut().insert(merchant);
            next.run(request).await
        }
        Ok(None) => StatusCode::UNAUTHORIZED.into_response(),
        Err(error) => problem::respond(&problem::problem(Failure::Store(error))),
    }
}

/// User name and password of `Basic <base64 of username:password>`.
pub(crate) fn basic(value: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = std::str::from_utf8(value).ok()?;
    let (scheme, encoded) = text.split_once(' ')?;
    let decoded = STANDARD.decode(encoded.trim()).ok()?;
    let colon = decoded.iter().position(|byte| *byte == b':')?;
    scheme
        .eq_ignore_ascii_case("basic")
        .then(|| (decoded[..colon].to_vec(), decoded[colon + 1..].to_vec()))
}
