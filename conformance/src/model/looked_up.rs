//! Looked up: what was found by its name before is not looked for again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What was found by its name, or was not.
#[derive(Debug)]
pub(crate) struct LookedUp<T>(Mutex<HashMap<String, Option<T>>>);

impl<T> Default for LookedUp<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Copy> LookedUp<T> {
    /// What is found by a name, which is looked for once.
    pub(crate) fn get(&self, name: &str, find: impl FnOnce() -> Option<T>) -> Option<T> {
        if let Some(found) = self.lock().get(name) {
            return *found;
        }
        // Unlocked: what is looked for may ask for others.
        let found = find();
        self.lock().insert(name.to_owned(), found);
        found
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Option<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_found_is_not_looked_for_again() {
        let known = LookedUp::default();
        assert_eq!(known.get("one", || known.get("other", || Some(1))), Some(1));
        assert_eq!(known.get("one", || None), Some(1));
        assert_eq!(known.get("none", || None), None);
        assert_eq!(known.get("none", || Some(2)), None);
    }
}
