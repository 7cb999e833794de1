//! Idempotency: a repeated request takes effect once.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::subject::Subject;

/// A repeated request takes effect once; with `holds: false`, it may take effect again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a key of an entry, and independent of the others"
)]
pub struct Idempotency {
    /// The header, parameter or property with the key; the operation itself if it needs no key.
    pub key: Subject,
    /// `false` if the document says that a header is not a key, or that each request takes effect.
    #[serde(default = "holds", skip_serializing_if = "Clone::clone")]
    pub holds: bool,
    /// To whom a key belongs: the same key of another caller, or on another path, is another key.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Within>,
    /// Whether a key that was used on one path is refused on another one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refused_elsewhere: bool,
    /// Whether a refused request leaves its key unused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub free_after_refusal: bool,
    /// Whether a repeat gets the first answer even if the record has changed since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub answers_first: bool,
}

/// What a key belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Within {
    /// The caller.
    Caller,
    /// The path of the request.
    Path,
}

impl Idempotency {
    /// A rule that says no more than whether repeats take effect once.
    pub fn new(key: Subject, holds: bool) -> Self {
        Self {
            key,
            holds,
            within: Vec::new(),
            refused_elsewhere: false,
            free_after_refusal: false,
            answers_first: false,
        }
    }
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
        }?;
        for within in &self.within {
            f.write_str(match within {
                Within::Caller => ", each caller having keys of its own",
                Within::Path => ", each path having keys of its own",
            })?;
        }
        let more = [
            (
                self.refused_elsewhere,
                "; a used key is refused on another path",
            ),
            (
                self.free_after_refusal,
                "; a refused request leaves its key unused",
            ),
            (self.answers_first, "; a repeat gets the first answer"),
        ];
        let mut more = more.into_iter().filter(|(is_said, _)| *is_said);
        more.try_for_each(|(_, words)| f.write_str(words))
    }
}
