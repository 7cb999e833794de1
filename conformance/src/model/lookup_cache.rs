//! Lookup cache: remembers the result of a search by name, also when nothing was found.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The results of searches by name. `None` is remembered, too.
#[derive(Debug)]
pub(crate) struct LookupCache<T>(Mutex<HashMap<String, Option<T>>>);

impl<T> Default for LookupCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T: Copy> LookupCache<T> {
    /// The cached result for a name; calls `find` the first time.
    pub(crate) fn get(&self, name: &str, find: impl FnOnce() -> Option<T>) -> Option<T> {
        if let Some(found) = self.lock().get(name) {
            return *found;
        }
        // The lock is released here: `find` may call `get` again.
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
    fn a_search_without_a_result_is_not_repeated() {
        let known = LookupCache::default();
        assert_eq!(known.get("one", || known.get("other", || Some(1))), Some(1));
        assert_eq!(known.get("one", || None), Some(1));
        assert_eq!(known.get("none", || None), None);
        assert_eq!(known.get("none", || Some(2)), None);
    }
}
