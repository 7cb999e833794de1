//! Builds the query of a request.

use super::super::parameter::{self, Parameter};
#[cfg(any(feature = "credentials", feature = "links", feature = "paging"))]
use super::super::percent;

/// Pairs of names and values, percent-encoded, as one text with `&` between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    text: String,
}

impl Query {
    /// The whole text; empty when there is no pair.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// Adds a parameter that is a text.
    pub(super) fn push_text(&mut self, parameter: &Parameter, text: &str) {
        self.join();
        parameter::push_pair(&mut self.text, parameter, text);
    }

    fn join(&mut self) {
        if self.text.is_empty() {
            self.text.reserve(128);
        } else {
            self.text.push('&');
        }
    }
}

#[cfg(any(feature = "links", feature = "paging", feature = "styles"))]
impl Query {
    /// Adds a pair that is encoded already.
    pub(super) fn push(&mut self, pair: &str) {
        self.join();
        self.text.push_str(pair);
    }
}

#[cfg(any(feature = "credentials", feature = "links", feature = "paging"))]
impl Query {
    /// Adds a name and its value, neither of them encoded yet.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        self.join();
        percent::push(&mut self.text, name);
        self.text.push('=');
        percent::push(&mut self.text, value);
    }
}

#[cfg(any(feature = "links", feature = "paging"))]
impl Query {
    /// Parses the query of an address.
    pub(super) fn of(text: &str) -> Self {
        let mut query = Self::default();
        let pairs = text.split('&').filter(|pair| !pair.is_empty());
        pairs.for_each(|pair| query.push(pair));
        query
    }

    /// The first value of a name, decoded.
    pub(super) fn value(&self, name: &str) -> Option<String> {
        let name = percent::encode(name);
        let named = |pair: &str| {
            let (own, value) = pair.split_once('=')?;
            (own == name).then(|| percent::decode(value))?
        };
        self.text.split('&').find_map(named)
    }

    /// Replaces all values of a name with one value.
    pub(super) fn replace(&mut self, name: &str, value: &str) {
        let own = percent::encode(name);
        let other = |pair: &&str| pair.split_once('=').is_none_or(|(name, _)| name != own);
        let kept: Vec<&str> = self.text.split('&').filter(other).collect();
        self.text = kept.join("&");
        self.add(name, value);
    }
}
