//! Idempotency: a repeated request takes effect once.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// A repeated request takes effect once; with `holds: false`, it may take effect again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Idempotency {
    /// The header, parameter or property with the key; the operation itself if it needs no key.
    pub key: Subject,
    /// `false` if the document says that a header is not a key, or that each request takes effect.
    #[serde(default = "holds", skip_serializing_if = "Clone::clone")]
    pub holds: bool,
}

fn holds() -> bool {
    true
}

impl Kind for Idempotency {
    fn key(&self) -> String {
        self.key.key()
    }

    fn owner(&self) -> &str {
        &self.key.owner
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.key.owner
    }

    fn subject(&self) -> Option<&Subject> {
        Some(&self.key)
    }

    fn holds(&self) -> bool {
        self.holds
    }
}

impl fmt::Display for Idempotency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.key.name, self.holds) {
            (Some(_), true) => write!(f, "requests with the same {} take effect once", self.key),
            (Some(_), false) => write!(f, "requests with the same {} each take effect", self.key),
            (None, true) => write!(f, "a repeated {} takes effect once", self.key),
            (None, false) => write!(f, "a repeated {} takes effect again", self.key),
        }
    }
}
