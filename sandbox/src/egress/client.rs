//! One request, to one address that was judged.

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

/// Says who is asking.
const AGENT: HeaderValue = HeaderValue::from_static(concat!(
    "merchant-payments-sandbox/",
    env!("CARGO_PKG_VERSION")
));

/// What an exchange may cost.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The time from the first question for an address to the last byte of the answer.
    pub whole: Duration,
    /// The time that one address gets to take a connection.
    pub connect: Duration,
    /// How many bytes of an answer's head, and of its body, are read.
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

/// Sends requests to where the policy allows.
#[derive(Debug)]
pub struct Client {
    policy: Policy,
    resolver: Arc<dyn Resolve>,
    limits: Limits,
    /// Root certificates are read when something is sent over TLS for the first time.
    tls: OnceCell<Arc<ClientConfig>>,
}

impl Client {
    /// A client that asks the resolver for addresses.
    pub fn new(policy: Policy, resolver: Arc<dyn Resolve>, limits: Limits) -> Self {
        Self {
            policy,
            resolver,
            limits,
            tls: OnceCell::new(),
        }
    }

    /// Where to it may send.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sends a JSON body with these headers. The status is all that is kept of an answer.
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

    /// Sends a request to this address, whatever its own says, and reads the whole answer.
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

    /// The addresses of a host, of which each has to be allowed: a name that also stands for a
    /// forbidden one is not trusted with the others.
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
                // One small request: what waits to be joined with more would only be late.
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
            // The connection ends once it has handed over the last of the answer.
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

/// The request as it goes over the connection.
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

/// Seconds, or a date on the clock that receivers share with this machine.
fn retry_after(value: &HeaderValue) -> Option<SignedDuration> {
    let text = value.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(SignedDuration::from_secs(i64::from(seconds)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    let ahead = date.duration_since(SystemTime::now()).ok()?;
    SignedDuration::try_from(ahead).ok()
}
