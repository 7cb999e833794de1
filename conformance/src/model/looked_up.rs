//! Looked up: what was found by its name before is not looked for again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Which call was found by a name, if any.
#[derive(Debug, Default)]
pub(super) struct LookedUp(Mutex<HashMap<String, Option<usize>>>);

impl LookedUp {
    /// The index of the call of a name, which is looked for once.
    pub(super) fn index(&self, name: &str, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        let known = |own: &Self| own.lock().get(name).copied();
        if let Some(found) = known(self) {
            return found;
        }
        // Unlocked: what is looked for may ask for others.
        let found = find();
        self.lock().insert(name.to_owned(), found);
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Option<usize>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
