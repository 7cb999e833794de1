//! Collects what the layers learn about a request, for the record of its exchange.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::store::Merchant;

/// A request extension to which each layer adds what it learns.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Learnt>>);

/// The collected facts.
#[derive(Clone, Default)]
pub struct Learnt {
    /// The authenticated merchant.
    pub merchant: Option<Merchant>,
    /// The unchanged body.
    pub body: Bytes,
    /// The fault that hit the request.
    pub fault: Option<u64>,
}

/// Hides the body, which may hold secrets.
impl std::fmt::Debug for Learnt {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Learnt")
            .field("merchant", &self.merchant)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}

impl Recorder {
    /// Records the authenticated merchant.
    pub fn merchant(&self, merchant: Merchant) {
        self.lock().merchant = Some(merchant);
    }

    /// Records the body.
    pub fn body(&self, body: &Bytes) {
        self.lock().body = body.clone();
    }

    /// Records the fault that hit the request.
    pub fn fault(&self, number: u64) {
        self.lock().fault = Some(number);
    }

    /// Returns and clears the collected facts.
    pub fn take(&self) -> Learnt {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
