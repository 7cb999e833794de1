//! Tracks the merchants whose clocks are being moved; the request that moves a clock also fires its
//! timers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::store::Merchant;

/// The merchants whose clocks this program is moving.
#[derive(Clone, Debug, Default)]
pub(super) struct Advancing(Arc<Mutex<Vec<Merchant>>>);

/// A running move of a clock; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Moving {
    advancing: Advancing,
    merchant: Merchant,
}

impl Advancing {
    pub(super) fn begin(&self, merchant: Merchant) -> Moving {
        self.lock().push(merchant);
        Moving {
            advancing: self.clone(),
            merchant,
        }
    }

    pub(super) fn has(&self, merchant: Merchant) -> bool {
        self.lock().contains(&merchant)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Merchant>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Moving {
    fn drop(&mut self) {
        let mut merchants = self.advancing.lock();
        let place = merchants.iter().position(|one| *one == self.merchant);
        if let Some(place) = place {
            merchants.swap_remove(place);
        }
    }
}
