//! What the document says about an operation, as far as the runtime needs it.

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
    /// Each entry is one way to be allowed in: the schemes that it takes together. With no entry
    /// the operation is open to everybody; so it is with an entry that is empty.
    pub security: &'static [&'static [Scheme]],
    /// The header that carries the request id, if the document declares one.
    pub request_id: Option<&'static str>,
    /// Whether a request may be sent again.
    pub repeat: Repeat,
}

/// Whether a request may be sent again when nobody knows what became of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// Sent twice it does no more than sent once: by its method, or by what the document says.
    Idempotent,
    /// Sent twice with the same key in the header of this name it does no more than sent once.
    Keyed(&'static str),
    /// Its JSON body names what it makes by this property. With a value there, sent twice it does
    /// no more than sent once.
    NaturalKey(&'static str),
    /// It may do everything twice.
    Never,
}

/// A security scheme: how credentials travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the document.
    pub name: &'static str,
    /// Where the credential goes.
    pub carrier: Carrier,
    /// The scopes that an operation demands of it; for the scheme itself there are none.
    pub scopes: &'static [&'static str],
}

impl Scheme {
    /// The scheme with the scopes that an operation demands.
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
    /// The certificate of the TLS connection; the request itself has nothing of it.
    Certificate,
    /// In a way that is not expressed. Nothing is sent for it.
    Unknown,
}
