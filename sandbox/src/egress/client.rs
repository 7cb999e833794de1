//! Sends one request to an address that the policy permits.

use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::future::{Either, select};
use http::header::{CONNECTION, CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request};
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use jiff::SignedDuration;
use rustls::ClientConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::OnceCell;
use tokio::time::timeout;
use url::Host;

use super::destination::Destination;
use super::policy::Policy;
use super::resolver::Resolve;
use super::tls;
use crate::domain::notification::{Failure, Reply};

/// The value of `user-agent`.
const AGENT: HeaderValue = HeaderValue::from_static(concat!(
    "merchant-payments-sandbox/",
    env!("CARGO_PKG_VERSION")
));

/// The limits of an exchange.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time from the name lookup to the last byte of the answer.
    pub whole: Duration,
    /// The time to connect to one address.
    pub connect: Duration,
    /// The most bytes of an answer's head, and of its body.
    pub answer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            whole: Duration::from_secs(15),
            connect: Duration::from_secs(5),
            answer: 64 * 1024,
        }
    }
}

/// Sends requests to addresses that the policy permits.
#[derive(Debug)]
pub struct Client {
    policy: Policy,
    resolver: Arc<dyn Resolve>,
    limits: Limits,
    /// Root certificates are loaded for the first TLS connection.
    tls: OnceCell<Arc<ClientConfig>>,
}

impl Client {
    /// Creates a client that looks names up with `resolver`.
    pub fn new(policy: Policy, resolver: Arc<dyn Resolve>, limits: Limits) -> Self {
        Self {
            policy,
            resolver,
            limits,
            tls: OnceCell::new(),
        }
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Posts a JSON body with these headers; only the status of the answer is used.
    pub async fn post(&self, url: &str, headers: HeaderMap, body: Bytes) -> Reply {
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        *request.headers_mut() = headers;
        match self.send(url, request).await {
            Ok(answer) => Reply::Answered {
                status: answer.status().as_u16(),
                retry_after: answer.headers().get(RETRY_AFTER).and_then(retry_after),
            },
            Err(failure) => Reply::Failed(failure),
        }
    }

    /// Sends a request to `url`, ignoring the request's URI, and reads the whole answer.
    pub async fn send(
        &self,
        url: &str,
        request: Request<Bytes>,
    ) -> Result<http::Response<Bytes>, Failure> {
        let ended = timeout(self.limits.whole, self.exchange(url, request)).await;
        ended.unwrap_or(Err(Failure::TimedOut))
    }

    async fn exchange(
        &self,
        url: &str,
        request: Request<Bytes>,
    ) -> Result<http::Response<Bytes>, Failure> {
        let destination = Destination::parse(url, &self.policy).map_err(|_| Failure::Denied)?;
        let request = addressed(&destination, request)?;
        let addresses = self.addresses(&destination).await?;
        let stream = self.connect(&addresses, destination.port()).await?;
        if !destination.is_secure() {
            return self.carry(stream, request).await;
        }
        let config = Arc::clone(self.tls.get_or_try_init(trust).await?);
        let stream = tls::secure(config, destination.host(), stream).await?;
        self.carry(stream, request).await
    }

    /// The addresses of a host. All of them have to be permitted: a name with a forbidden address
    /// is not trusted at all.
    async fn addresses(&self, destination: &Destination) -> Result<Vec<IpAddr>, Failure> {
        let host = destination.host();
        let addresses = match host {
            Host::Domain(name) => self.resolver.resolve(name).await.unwrap_or_default(),
            Host::Ipv4(address) => vec![IpAddr::V4(address)],
            Host::Ipv6(address) => vec![IpAddr::V6(address)],
        };
        if addresses.is_empty() {
            return Err(Failure::Unresolved);
        }
        let permitted = |address: &IpAddr| self.policy.permits(&host, *address);
        let all = addresses.iter().all(permitted);
        all.then_some(addresses).ok_or(Failure::Denied)
    }

    async fn connect(&self, addresses: &[IpAddr], port: u16) -> Result<TcpStream, Failure> {
        for address in addresses {
            let connecting = TcpStream::connect(SocketAddr::new(*address, port));
            if let Ok(Ok(stream)) = timeout(self.limits.connect, connecting).await {
                // The request is small, so waiting to join it with more data only delays it.
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
        }
        Err(Failure::Unreachable)
    }

    async fn carry<S>(
        &self,
        stream: S,
        request: Request<Full<Bytes>>,
    ) -> Result<http::Response<Bytes>, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let handshake = http1::Builder::new()
            .max_buf_size(self.limits.answer)
            .handshake(TokioIo::new(stream));
        let (mut sender, connection) = handshake.await.map_err(|_| Failure::Garbled)?;
        let exchange = pin!(async move {
            let answer = sender.send_request(request).await;
            self.whole(answer.map_err(|_| Failure::Garbled)?).await
        });
        match select(exchange, pin!(connection)).await {
            Either::Left((reply, _)) => reply,
            // The connection ended, but the answer may already be complete.
            Either::Right((_, exchange)) => exchange.await,
        }
    }

    async fn whole(
        &self,
        answer: http::Response<Incoming>,
    ) -> Result<http::Response<Bytes>, Failure> {
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, self.limits.answer).collect().await;
        let body = body.map_err(|_| Failure::Garbled)?.to_bytes();
        Ok(http::Response::from_parts(head, body))
    }
}

async fn trust() -> Result<Arc<ClientConfig>, Failure> {
    let read = tokio::task::spawn_blocking(tls::config).await;
    match read {
        Ok(Ok(config)) => Ok(Arc::new(config)),
        Ok(Err(error)) => {
            tracing::error!(%error, "no secured connection can be made");
            Err(Failure::Insecure)
        }
        Err(_) => Err(Failure::Insecure),
    }
}

/// The request with the target and the host header for the connection.
fn addressed(
    destination: &Destination,
    request: Request<Bytes>,
) -> Result<Request<Full<Bytes>>, Failure> {
    let mut request = request.map(Full::new);
    *request.uri_mut() = destination.target().parse().map_err(|_| Failure::Denied)?;
    let host = HeaderValue::from_str(&destination.authority()).map_err(|_| Failure::Denied)?;
    for (name, value) in [
        (HOST, host),
        (USER_AGENT, AGENT),
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CONNECTION, HeaderValue::from_static("close")),
    ] {
        request.headers_mut().insert(name, value);
    }
    Ok(request)
}

/// Parses seconds or a date; dates are compared with the machine's clock.
fn retry_after(value: &HeaderValue) -> Option<SignedDuration> {
    let text = value.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(SignedDuration::from_secs(i64::from(seconds)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let ahead = date.duration_since(SystemTime::now()).ok()?;
    SignedDuration::try_from(ahead).ok()
}
