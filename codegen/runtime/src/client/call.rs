//! One request before it is sent, whatever its operation.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, header};

use super::super::constraint::Violation;
use super::super::operation::Operation;
#[cfg(feature = "keys")]
use super::super::operation::Repeat;
use super::super::parameter::{self, Place, Tree};
use super::error::RequestError;
use super::outgoing::Outgoing;
use super::query::Query;
use super::retry::RetryPolicy;

/// Computes further headers from the other headers and the body, such as a signature.
#[cfg(feature = "seals")]
pub type Seal = Box<dyn Fn(&HeaderMap, &[u8]) -> Vec<(&'static str, String)> + Send + Sync>;

/// One request before it is sent. It is the same type for all operations, so that the code which
/// sends it is compiled once.
pub struct Call {
    pub(super) operation: &'static Operation,
    /// The address to send it to, when that is not below the address of the connection.
    pub(super) address: Option<String>,
    /// The server to send it to, when that is not the server of the connection.
    pub(super) base: Option<String>,
    pub(super) path: Cow<'static, str>,
    pub(super) query: Query,
    pub(super) headers: HeaderMap,
    #[cfg(any(feature = "credentials", feature = "styles"))]
    pub(super) cookies: Vec<String>,
    pub(super) body: Outgoing,
    pub(super) request_id: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) retries: Option<RetryPolicy>,
    /// Whether the caller says that a repetition does no harm.
    pub(super) repeatable: bool,
    #[cfg(feature = "seals")]
    pub(super) seal: Option<Seal>,
    /// Whether the body of the answer stays a stream.
    #[cfg(feature = "streams")]
    pub(super) streamed: bool,
    /// The span of the call, once it is sent.
    #[cfg(feature = "tracing")]
    pub(super) span: tracing::Span,
    /// The first error while the request was built.
    pub(super) flaw: Option<RequestError>,
}

impl Call {
    pub(super) fn new(operation: &'static Operation) -> Self {
        Self {
            operation,
            address: None,
            base: None,
            path: Cow::Borrowed(operation.path),
            query: Query::default(),
            headers: HeaderMap::new(),
            #[cfg(any(feature = "credentials", feature = "styles"))]
            cookies: Vec::new(),
            body: Outgoing::default(),
            request_id: None,
            timeout: None,
            retries: None,
            repeatable: false,
            #[cfg(feature = "seals")]
            seal: None,
            #[cfg(feature = "streams")]
            streamed: false,
            #[cfg(feature = "tracing")]
            span: tracing::Span::none(),
            flaw: None,
        }
    }

    pub(super) fn spoil(&mut self, message: impl fmt::Display) {
        self.flaw.get_or_insert_with(|| RequestError::new(message));
    }

    /// Makes the request fail when a part of it breaks a constraint.
    pub(super) fn hold(&mut self, part: &str, violations: Vec<Violation>) {
        if !violations.is_empty() {
            let error = RequestError::broken(part, violations);
            self.flaw.get_or_insert(error);
        }
    }

    pub(super) fn header<V>(&mut self, name: &str, value: V)
    where
        HeaderValue: TryFrom<V>,
    {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.spoil(format_args!(
                "header `{name}` has a value that no header can carry"
            )),
        }
    }

    pub(super) fn secret_header(&mut self, name: &str, text: String) -> Result<(), RequestError> {
        let broken = || RequestError::new(format_args!("the credential for `{name}` is not valid"));
        let name = HeaderName::try_from(name).map_err(|_| broken())?;
        let mut value = HeaderValue::try_from(text).map_err(|_| broken())?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(())
    }

    pub(super) fn content(&mut self, media_type: &str, body: impl Into<Outgoing>) {
        self.header(header::CONTENT_TYPE.as_str(), media_type);
        self.body = body.into();
    }

    /// Gives the request an idempotency key, where its operation takes one and it has none.
    #[cfg(feature = "keys")]
    pub(super) fn key(&mut self) {
        if let Repeat::Keyed(name) = self.operation.repeat
            && !self.headers.contains_key(name)
        {
            self.header(name, uuid::Uuid::new_v4().to_string());
        }
    }

    /// Writes each parameter to its documented place: path, query, cookie or header.
    pub(super) fn place(&mut self, values: &Tree) {
        for parameter in self.operation.parameters {
            let Some(tree) = values.get(parameter.field) else {
                continue;
            };
            #[cfg(feature = "styles")]
            if !parameter.carries(tree) {
                self.spoil(format_args!(
                    "parameter `{}` is nested deeper than its style can say",
                    parameter.name
                ));
                continue;
            }
            match parameter.place {
                Place::Path => {
                    let text = parameter::text(parameter, tree);
                    if matches!(text.as_str(), "" | "." | "..") {
                        self.spoil(format_args!("path parameter `{}` is empty", parameter.name));
                    }
                    self.fill(parameter.name, &text);
                }
                Place::Query => {
                    if let Tree::Text(text) = tree {
                        self.query.push_text(parameter, text);
                    }
                    #[cfg(feature = "styles")]
                    if !matches!(tree, Tree::Text(_)) {
                        let pairs = parameter::pairs(parameter, tree);
                        for pair in &pairs {
                            self.query.push(pair);
                        }
                    }
                }
                #[cfg(feature = "styles")]
                Place::Cookie => self.cookies.extend(parameter::pairs(parameter, tree)),
                Place::Header => self.header(parameter.name, parameter::text(parameter, tree)),
            }
        }
    }

    /// Replaces `{name}` in the path with a value.
    fn fill(&mut self, name: &str, text: &str) {
        let mut from = 0;
        while let Some(open) = self.path[from..].find('{').map(|at| from + at) {
            let inner = self.path[open + 1..].strip_prefix(name);
            if inner.is_some_and(|rest| rest.starts_with('}')) {
                let close = open + name.len() + 2;
                self.path.to_mut().replace_range(open..close, text);
                from = open + text.len();
            } else {
                from = open + 1;
            }
        }
    }

    /// The whole address.
    pub(super) fn address(&self, base_url: &str) -> String {
        let (before, path) = match &self.address {
            Some(address) => (address.as_str(), ""),
            None => (self.base.as_deref().unwrap_or(base_url), &*self.path),
        };
        let query = self.query.as_str();
        let mut address = String::with_capacity(before.len() + path.len() + query.len() + 1);
        address.push_str(before);
        address.push_str(path);
        if !query.is_empty() {
            address.push(if before.contains('?') { '&' } else { '?' });
            address.push_str(query);
        }
        address
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("operation", &self.operation.id)
            .field("request_id", &self.request_id)
            .finish_non_exhaustive()
    }
}
