//! Idempotency: a repeated request takes effect once.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::subject::Subject;

/// A repeated request takes effect once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Idempotency {
    /// The header, parameter or property that carries the key; the operation as a whole, where it needs none.
    pub key: Subject,
}

impl Idempotency {
    pub(super) fn key(&self) -> String {
        self.key.key()
    }
}

impl fmt::Display for Idempotency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key.name {
            Some(_) => write!(f, "requests with the same {} take effect once", self.key),
            None => write!(f, "a repeated {} takes effect once", self.key),
        }
    }
}
