//! Sends HTTP requests: follows no redirects, limits every wait, and reuses plain connections when
//! the server allows it.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Url;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use crate::exchange::{Answer, BodyFault, NoAnswer, Sent};

mod connection;
mod direct;
mod granted;
mod listening;
mod login;
mod pace;
mod pool;
mod request;
mod tls;
pub(crate) mod token;
pub mod transport;

use direct::Direct;
pub use granted::header_of;
use listening::Listening;
pub use login::{Login, LoginBody, Yields};
use pace::Pace;
pub use token::{Credential, TokenCommand};
use token::{Place, Source, Token};
pub use transport::Transport;

/// The size of the largest body that the client reads, in bytes.
pub const MAX_BODY: usize = 4 * 1024 * 1024;

/// Sends HTTP requests to one server.
#[derive(Debug)]
pub struct Client {
    route: Route,
    timeout: Duration,
    pace: Pace,
    token: Option<Token>,
}

/// How requests reach the server.
#[derive(Debug)]
enum Route {
    /// Plain connections without a proxy.
    Direct(Direct),
    /// Connections that use TLS or a proxy. Each request opens a new one.
    Other(reqwest::Client),
}

/// Why the client could not be created or the server not reached.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The address is not a valid http or https address.
    #[error("`{url}` is not an http or https address; write {instead}")]
    Address {
        /// The address.
        url: String,
        /// A suggested address.
        instead: String,
    },
    /// The address has parts that requests do not keep.
    #[error("the address has a {part}, which requests do not keep{hint}")]
    Part {
        /// The name of the part.
        part: &'static str,
        /// The advice for the user.
        hint: &'static str,
    },
    /// No server accepts connections at the address.
    #[error(
        "no server answers at {url}: {reason}; start the server, or wait for it with --wait 10s"
    )]
    Unreachable {
        /// The address.
        url: String,
        /// The error of the operating system.
        reason: String,
    },
    /// The client could not be set up.
    #[error("failed to set up the client: {0}")]
    Setup(String),
}

/// Parses a base address, to which paths are appended. Refuses queries, fragments and credentials.
pub fn address(text: &str) -> Result<Url, TargetError> {
    let error = || TargetError::Address {
        url: text.to_owned(),
        instead: with_scheme(text),
    };
    let url = Url::parse(text).map_err(|_| error())?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(error());
    }
    let has_user = !url.username().is_empty() || url.password().is_some();
    let parts = [
        (has_user, "user name or password", ": use --basic"),
        (url.query().is_some(), "query", ""),
        (url.fragment().is_some(), "fragment", ""),
    ];
    match parts.into_iter().find(|(there, ..)| *there) {
        Some((_, part, hint)) => Err(TargetError::Part { part, hint }),
        None => Ok(url),
    }
}

/// The text with `http://` in front, or an example address when the text contains no host.
fn with_scheme(text: &str) -> String {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let address = format!("http://{rest}");
    match Url::parse(&address) {
        Ok(url) if url.has_host() => address,
        _ => "http://127.0.0.1:8080, for example".to_owned(),
    }
}

/// Whether an address is on this machine.
pub fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let loopback = host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback());
    loopback || host.eq_ignore_ascii_case("localhost")
}

impl Client {
    /// Creates a client for one server.
    ///
    /// # Errors
    /// A certificate or the proxy cannot be used, or the command for the token fails.
    pub async fn new(
        url: &Url,
        timeout: Duration,
        transport: &Transport,
    ) -> Result<Self, TargetError> {
        let route = if transport.is_plain() && url.scheme() == "http" && is_loopback(url) {
            Route::Direct(Direct::default())
        } else {
            Route::Other(other(url, timeout, transport)?)
        };
        let token = match &transport.credential {
            Some(credential) => {
                let source = source(credential, (url, timeout), transport)?;
                Some(Token::first(source).await?)
            }
            None => None,
        };
        Ok(Self {
            route,
            timeout,
            pace: Pace::new(transport),
            token,
        })
    }

    /// The headers with the run's credential. Empty without a command and a login.
    pub fn credential(&self) -> &[(String, String)] {
        self.token.as_ref().map(Token::headers).unwrap_or_default()
    }

    /// Connects once, to distinguish an absent server from a broken one. The first direct request
    /// uses this connection. [`Client::greet`] also tests encrypted connections.
    ///
    /// # Errors
    /// The server does not accept the connection within the limit.
    pub async fn reach(&self, url: &Url, limit: Duration) -> Result<(), TargetError> {
        let unreachable = |reason: String| TargetError::Unreachable {
            url: url.to_string(),
            reason,
        };
        let host = url.host_str().unwrap_or_default();
        let host = host.trim_matches(['[', ']']);
        let port = url.port_or_known_default().unwrap_or(80);
        match timeout(limit, TcpStream::connect((host, port))).await {
            Ok(Ok(stream)) => {
                if let Route::Direct(direct) = &self.route {
                    direct.start(stream);
                }
                Ok(())
            }
            Ok(Err(error)) => Err(unreachable(error.to_string())),
            Err(_) => Err(unreachable(format!("no connection within {limit:?}"))),
        }
    }

    /// Reads the base address over an encrypted connection, to distinguish an untrusted certificate
    /// from a broken server. Accepts any answer.
    ///
    /// # Errors
    /// No encrypted connection can be opened.
    pub async fn greet(&self, url: &Url) -> Result<(), TargetError> {
        let Route::Other(http) = &self.route else {
            return Ok(());
        };
        if url.scheme() == "http" {
            return Ok(());
        }
        // Twice the limit, so that the connection alone cannot use up the time of a late answer.
        let limit = self.timeout.saturating_mul(2);
        self.pace.turn().await;
        match timeout(limit, http.get(url.clone()).send()).await {
            Ok(Err(error)) if error.is_connect() => Err(TargetError::Unreachable {
                url: url.to_string(),
                reason: chain(&error.without_url()),
            }),
            _ => Ok(()),
        }
    }

    /// Sends a request and reads the whole answer. Repeats it with a new token after a 401, and
    /// after the wait that a 429 or 503 requests.
    pub async fn send(&self, sent: &mut Sent) -> Result<Answer, NoAnswer> {
        let has_token = match &self.token {
            Some(token) => token.put(sent).await,
            None => false,
        };
        let mut answer = self.send_patiently(sent).await;
        let Some(token) = self.token.as_ref().filter(|_| has_token) else {
            return answer;
        };
        if !is_unauthorized(&answer) {
            return answer;
        }
        self.rest();
        if token.put_another(sent).await {
            answer = self.send_patiently(sent).await;
            if is_unauthorized(&answer) {
                token.give_up().await;
            }
        }
        answer
    }

    /// Closes the idle connections. A server that serves one connection at a time may block a hook
    /// or another client until then.
    pub fn rest(&self) {
        if let Route::Direct(direct) = &self.route {
            direct.rest();
        }
    }

    async fn send_patiently(&self, sent: &Sent) -> Result<Answer, NoAnswer> {
        let mut attempts = 0;
        loop {
            self.pace.turn().await;
            let answer = self.send_once(sent).await;
            attempts += 1;
            if !self.pace.again(&answer, attempts).await {
                return answer;
            }
        }
    }

    async fn send_once(&self, sent: &Sent) -> Result<Answer, NoAnswer> {
        let deadline = Instant::now() + self.timeout;
        let http = match &self.route {
            Route::Direct(direct) => return direct.send(sent, deadline, self.timeout).await,
            Route::Other(http) => http,
        };
        let method = reqwest::Method::from_bytes(sent.method.as_str().as_bytes())
            .map_err(|error| NoAnswer::Closed(error.to_string()))?;
        let mut request = http.request(method, &sent.url);
        for (name, value) in &sent.headers {
            request = request.header(name, value.as_bytes());
        }
        if let Some(body) = &sent.body {
            request = request.body(body.clone());
        }
        match timeout_at(deadline, request.send()).await {
            Err(_) => Err(NoAnswer::Timeout(self.timeout)),
            Ok(Err(error)) if error.is_timeout() => Err(NoAnswer::Timeout(self.timeout)),
            Ok(Err(error)) => Err(NoAnswer::Closed(chain(&error.without_url()))),
            Ok(Ok(response)) => Ok(read(response, deadline).await),
        }
    }
}

/// The source of a credential, ready to fetch.
fn source(
    credential: &Credential,
    (server, limit): (&Url, Duration),
    transport: &Transport,
) -> Result<Source, TargetError> {
    Ok(match credential {
        Credential::Command(command) => Source::Command(command.clone()),
        Credential::Login(login) => {
            let url = login.address(server)?;
            let http = other(&url, limit, transport)?;
            Source::Login(Box::new(Place {
                login: login.clone(),
                url,
                http,
                limit,
            }))
        }
    })
}

/// The client for connections that use TLS or a proxy.
fn other(
    url: &Url,
    timeout: Duration,
    transport: &Transport,
) -> Result<reqwest::Client, TargetError> {
    // An error means that a provider is already installed.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .http1_only()
        .connect_timeout(timeout)
        // Each request opens a new connection, so that leftover bytes or an early close cannot
        // disturb the next request.
        .pool_max_idle_per_host(0);
    if is_loopback(url) && transport.proxy.is_none() {
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" {
        // A plain connection needs no certificates, so the system need not have any.
        builder = builder.tls_certs_only([]);
    }
    transport
        .prepare(builder)?
        .build()
        .map_err(|error| TargetError::Setup(chain(&error)))
}

fn is_unauthorized(answer: &Result<Answer, NoAnswer>) -> bool {
    answer.as_ref().is_ok_and(|answer| answer.status == 401)
}

async fn read(mut response: reqwest::Response, deadline: Instant) -> Answer {
    let status = response.status().as_u16();
    let header = |(name, value): (&reqwest::header::HeaderName, &reqwest::header::HeaderValue)| {
        (name.as_str().to_owned(), value.as_bytes().to_vec())
    };
    let headers: Vec<_> = response.headers().iter().map(header).collect();
    let listening = Listening::of(&headers, deadline);
    let mut body = Vec::new();
    let fault = loop {
        match timeout_at(listening.deadline, response.chunk()).await {
            Err(_) if listening.is_stream => break None,
            Err(_) => {
                break Some(BodyFault::TooSlow {
                    received: body.len(),
                });
            }
            Ok(Err(error)) => {
                break Some(BodyFault::Incomplete {
                    received: body.len(),
                    reason: chain(&error.without_url()),
                });
            }
            Ok(Ok(None)) => break None,
            Ok(Ok(Some(chunk))) if body.len() + chunk.len() > MAX_BODY => {
                if listening.is_stream {
                    break None;
                }
                break Some(BodyFault::TooLarge { limit: MAX_BODY });
            }
            Ok(Ok(Some(chunk))) => body.extend_from_slice(&chunk),
        }
    };
    Answer::new(status, headers, fault.map_or(Ok(body), Err))
}

/// An error with its causes on one line, without repetitions.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let next = error.to_string();
        if !text.contains(&next) {
            text.push_str(": ");
            text.push_str(&next);
        }
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (text, loopback) in [
            ("http://127.0.0.1:8080", Some(true)),
            ("http://127.9.9.9/base", Some(true)),
            ("http://[::1]:80", Some(true)),
            ("https://LOCALHOST", Some(true)),
            ("https://localhost.example", Some(false)),
            ("http://10.0.0.1", Some(false)),
            ("ftp://127.0.0.1", None),
            (" http://127.0.0.1:80/base/ ", Some(true)),
            ("http://user:secret@127.0.0.1", None),
            ("http://127.0.0.1/?a=1", None),
            ("http://127.0.0.1/#a", None),
            ("127.0.0.1:80", None),
            ("", None),
        ] {
            assert_eq!(
                address(text).ok().map(|url| is_loopback(&url)),
                loopback,
                "{text}"
            );
        }
    }
}
