//! Operation: the facts of a documented operation that the runtime needs.

use super::parameter::Parameter;

/// One operation of the document. The client and the server stubs share it.
#[derive(Debug)]
pub struct Operation {
    /// The operation id.
    pub id: &'static str,
    /// The method, in capitals.
    pub method: &'static str,
    /// The path template, such as `/v1/transactions/{id}`.
    pub path: &'static str,
    /// Path, query, header and cookie parameters.
    pub parameters: &'static [Parameter],
    /// Each entry is an alternative: the schemes that together authorize a request. Without an
    /// entry, or with an empty one, the operation needs no credentials.
    #[cfg(feature = "security")]
    pub security: &'static [&'static [Scheme]],
    /// The header that carries the request id, if the document declares one.
    pub request_id: Option<&'static str>,
    /// Whether a request may be sent again.
    pub repeat: Repeat,
}

#[doc(hidden)]
impl Operation {
    /// An operation with this id, method and path.
    pub const fn new(id: &'static str, method: &'static str, path: &'static str) -> Self {
        Self {
            id,
            method,
            path,
            parameters: &[],
            #[cfg(feature = "security")]
            security: &[],
            request_id: None,
            repeat: Repeat::Never,
        }
    }

    /// With these parameters.
    #[must_use]
    pub const fn parameters(mut self, parameters: &'static [Parameter]) -> Self {
        self.parameters = parameters;
        self
    }

    /// With these alternatives of schemes.
    #[cfg(feature = "security")]
    #[must_use]
    pub const fn security(mut self, security: &'static [&'static [Scheme]]) -> Self {
        self.security = security;
        self
    }

    /// With a header for the request id.
    #[must_use]
    pub const fn request_id(mut self, header: &'static str) -> Self {
        self.request_id = Some(header);
        self
    }

    /// With what the document says about a repetition.
    #[must_use]
    pub const fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }
}

/// Whether a client may send a request again when it does not know the result of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// A repeated request has no further effect, by its method or by the document.
    Idempotent,
    /// A repeated request has no further effect if the header of this name has the same key.
    #[cfg(feature = "keys")]
    Keyed(&'static str),
    /// This property of the JSON body identifies the created record. When it has a value, a
    /// repeated request has no further effect.
    #[cfg(feature = "keys")]
    NaturalKey(&'static str),
    /// A repeated request may take effect twice.
    Never,
}

/// A security scheme: how credentials travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the document.
    pub name: &'static str,
    /// Where the credential goes.
    pub carrier: Carrier,
    /// The scopes that an operation requires; empty for the scheme itself.
    pub scopes: &'static [&'static str],
}

impl Scheme {
    /// The scheme with the scopes that an operation requires.
    #[must_use]
    pub const fn scopes(mut self, scopes: &'static [&'static str]) -> Self {
        self.scopes = scopes;
        self
    }
}

/// Where a credential goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The header of this name has the key as its value.
    Header(&'static str),
    /// The query parameter of this name has the key as its value.
    Query(&'static str),
    /// The cookie of this name has the key as its value.
    Cookie(&'static str),
    /// `Authorization: Basic`, with user and password.
    Basic,
    /// `Authorization: Bearer`, with a token.
    Bearer,
    /// The certificate of the TLS connection; the request has no credential.
    Certificate,
    /// A way that the runtime does not support; it sends no credential.
    Unknown,
}
