//! Settings: how a client reaches its server.

use std::sync::Arc;
use std::time::Duration;

use super::super::operation::Scheme;
use super::clock::{Clock, SystemClock};
use super::connection::Connection;
use super::credential::Credential;
use super::error::RequestError;
use super::retry::RetryPolicy;
use super::token::{TokenSource, Tokens};

/// How a client reaches its server: address, credentials, timeouts and retries.
#[derive(Clone, Debug)]
pub struct Settings {
    base_url: Option<String>,
    credentials: Vec<(Scheme, Credential)>,
    timeout: Duration,
    retries: RetryPolicy,
    clock: Arc<dyn Clock>,
    http: Option<reqwest::Client>,
    checking: bool,
    lenient: bool,
}

impl Settings {
    /// The address before the paths of the document, such as `https://api.example.com`.
    pub fn new(base_url: impl Into<String>) -> Self {
        Self {
            base_url: Some(base_url.into()),
            ..Self::anywhere()
        }
    }

    /// Settings without an address. Each request has an address, such as that of a callback.
    pub fn anywhere() -> Self {
        Self {
            base_url: None,
            credentials: Vec::new(),
            timeout: Duration::from_secs(30),
            retries: RetryPolicy::default(),
            clock: Arc::new(SystemClock),
            http: None,
            checking: false,
            lenient: false,
        }
    }

    /// With a credential for a security scheme.
    #[must_use]
    pub fn credential(mut self, scheme: Scheme, credential: Credential) -> Self {
        self.credentials.push((scheme, credential));
        self
    }

    /// With bearer tokens for a security scheme, from a source that is asked for them as needed.
    #[must_use]
    pub fn tokens(self, scheme: Scheme, source: impl TokenSource + 'static) -> Self {
        self.credential(scheme, Credential::Tokens(Tokens::new(source)))
    }

    /// Sets how long one attempt may take; the default is 30 seconds. For an answer that is read as
    /// a stream, the limit applies to the wait for the answer, and then for each piece.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets how often and when a repeatable request is sent again. The default is three attempts.
    #[must_use]
    pub fn retries(mut self, policy: RetryPolicy) -> Self {
        self.retries = policy;
        self
    }

    /// Does not send a request whose parameters or body break a constraint of the document, but
    /// fails with all its violations. Without this setting, such a request is sent to the server.
    #[must_use]
    pub fn checking(mut self) -> Self {
        self.checking = true;
        self
    }

    /// Reads answers that break the contract as far as possible. An unreadable value is omitted or
    /// replaced, and [`Response::deviations`](super::Response::deviations) lists each such place
    /// with the received value. Look there before you rely on a value. Without this setting, such
    /// an answer is an error.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Replaces the clock, for tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Replaces the HTTP client, for proxies or certificates.
    #[must_use]
    pub fn http(mut self, http: reqwest::Client) -> Self {
        self.http = Some(http);
        self
    }

    /// Whether there are tokens to fetch, from an address that may be one with TLS.
    fn fetches(&self) -> bool {
        let mut credentials = self.credentials.iter();
        credentials.any(|(_, credential)| matches!(credential, Credential::Tokens(_)))
    }

    /// Builds the connection. Sends nothing yet.
    pub fn connect(self) -> Result<Connection, RequestError> {
        let (base_url, base) = match &self.base_url {
            Some(base_url) => checked(base_url).map(|(text, url)| (text, Some(url)))?,
            None => (String::new(), None),
        };
        let plain = base.as_ref().is_some_and(|base| base.scheme() == "http");
        let plain = plain && !self.fetches();
        let http = match self.http {
            Some(http) => http,
            None => default_http(plain)?,
        };
        Ok(Connection {
            base_url,
            base,
            credentials: self.credentials,
            timeout: self.timeout,
            retries: self.retries,
            clock: self.clock,
            http,
            checking: self.checking,
            lenient: self.lenient,
        })
    }
}

/// The address without a slash at its end, as text and parsed.
fn checked(base_url: &str) -> Result<(String, reqwest::Url), RequestError> {
    let wrong = |reason: &str| Err(RequestError::new(format_args!("base URL: {reason}")));
    let lower = base_url.to_ascii_lowercase();
    if !["http://", "https://"]
        .iter()
        .any(|scheme| lower.starts_with(scheme))
    {
        return wrong("expected `http://` or `https://` at its beginning");
    }
    let base_url = base_url.trim_end_matches('/').to_owned();
    let address = match reqwest::Url::parse(&base_url) {
        Ok(address) => address,
        Err(error) => return wrong(&error.to_string()),
    };
    if !address.username().is_empty() || address.password().is_some() {
        return wrong("it has credentials; give them to the settings instead");
    }
    if address.query().is_some() || address.fragment().is_some() {
        return wrong("expected scheme, host and path only");
    }
    Ok((base_url, address))
}

/// Does not follow redirects, because they would send a request to an address not in the settings.
fn default_http(plain: bool) -> Result<reqwest::Client, RequestError> {
    let builder = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    secured(builder, plain).build().map_err(|error| {
        let reason = std::error::Error::source(&error).map(ToString::to_string);
        RequestError::new(reason.unwrap_or_else(|| error.to_string()))
    })
}

/// Loads no certificates for a plain connection, so that it works on a machine without them.
#[cfg(feature = "rustls")]
fn secured(builder: reqwest::ClientBuilder, plain: bool) -> reqwest::ClientBuilder {
    // An error only means that the program has already chosen a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    if plain {
        builder.tls_certs_only([])
    } else {
        builder
    }
}

#[cfg(not(feature = "rustls"))]
fn secured(builder: reqwest::ClientBuilder, _plain: bool) -> reqwest::ClientBuilder {
    builder
}
