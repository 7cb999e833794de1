//! What becomes known of a request on its way in, for whoever keeps the exchange in the end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::store::Merchant;

/// Among the extensions of a request; each layer adds what it learns.
#[derive(Clone, Debug, Default)]
pub struct Recorder(Arc<Mutex<Learnt>>);

/// What is known by now.
#[derive(Clone, Default)]
pub struct Learnt {
    /// Who asks.
    pub merchant: Option<Merchant>,
    /// The body, as it came.
    pub body: Bytes,
    /// The fault that hit the request.
    pub fault: Option<u64>,
}

/// A body may hold secrets.
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
    /// The credentials are this merchant's.
    pub fn merchant(&self, merchant: Merchant) {
        self.lock().merchant = Some(merchant);
    }

    /// The body has come.
    pub fn body(&self, body: &Bytes) {
        self.lock().body = body.clone();
    }

    /// A fault hit the request.
    pub fn fault(&self, number: u64) {
        self.lock().fault = Some(number);
    }

    /// All that is known.
    pub fn take(&self) -> Learnt {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
