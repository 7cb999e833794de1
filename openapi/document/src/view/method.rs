//! Method: an HTTP method.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The longest name of a method.
const LONGEST: usize = 32;

/// An HTTP method that a path item may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "these are the names of the methods")]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Options,
    Head,
    Patch,
    Trace,
    Query,
    /// A method of `additionalOperations` (3.2), by its name.
    Other(&'static str),
}

impl Method {
    /// Parses the field name in a path item.
    pub fn parse(key: &str) -> Option<Self> {
        Some(match key {
            "get" => Self::Get,
            "put" => Self::Put,
            "post" => Self::Post,
            "delete" => Self::Delete,
            "options" => Self::Options,
            "head" => Self::Head,
            "patch" => Self::Patch,
            "trace" => Self::Trace,
            "query" => Self::Query,
            _ => return None,
        })
    }

    /// Parses a key of `additionalOperations`, which is the method as in the request line. A method
    /// that a path item has a field for is none of them.
    pub fn additional(key: &str) -> Option<Self> {
        let is_token = key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
        let is_other = Self::parse(&key.to_ascii_lowercase()).is_none();
        let is_sound = is_token && is_other && (1..=LONGEST).contains(&key.len());
        is_sound.then(|| Self::Other(kept(key)))
    }

    /// The method as in the request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
            Self::Query => "QUERY",
            Self::Other(name) => name,
        }
    }

    /// Whether the method only reads (RFC 9110, safe methods; `QUERY` is defined as safe).
    pub fn is_safe(self) -> bool {
        matches!(
            self,
            Self::Get | Self::Head | Self::Options | Self::Trace | Self::Query
        )
    }
}

/// The one copy of a name. A document has few methods, so the copies stay for the whole run.
fn kept(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name) {
        return known;
    }
    let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(name);
    name
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
