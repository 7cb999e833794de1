//! Sending requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderValue, Method, header};
use uuid::Uuid;

use super::super::answer::Answer;
use super::super::operation::Repeat;
#[cfg(feature = "credentials")]
use super::super::operation::Scheme;
#[cfg(feature = "streams")]
use super::again::{Again, head};
use super::call::Call;
use super::clock::Clock;
#[cfg(feature = "credentials")]
use super::credential::{self, Credential};
use super::error::{Cause, Error, RequestError, TransportError};
#[cfg(feature = "streams")]
use super::incoming::Incoming;
#[cfg(feature = "seals")]
use super::outgoing;
#[cfg(feature = "credentials")]
use super::pass::{self, Pass};
use super::retry::{self, RetryPolicy};
#[cfg(feature = "credentials")]
use super::token::{TokenContext, TokenError, Tokens};
#[cfg(feature = "tracing")]
use super::trace;

/// A server and how to reach it. Nothing here depends on an operation's types.
pub struct Connection {
    pub(super) base_url: String,
    /// The parsed base URL; `None` when it is not valid.
    pub(super) base: Option<reqwest::Url>,
    #[cfg(feature = "credentials")]
    pub(super) credentials: Vec<(Scheme, Credential)>,
    pub(super) timeout: Duration,
    pub(super) retries: RetryPolicy,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) http: reqwest::Client,
    /// Whether what breaks a constraint of the document is not sent.
    pub(super) checking: bool,
    /// Whether answers that break the contract are read as far as they can be.
    pub(super) lenient: bool,
}

/// An answer, and the id its request was sent with.
pub(super) struct Exchange {
    pub(super) answer: Answer,
    /// The body, where it was to stay a stream; then that of the answer is empty.
    #[cfg(feature = "streams")]
    pub(super) rest: Option<Incoming>,
    pub(super) request_id: Option<String>,
    pub(super) lenient: bool,
}

/// What goes wrong before there is an answer to read.
pub(super) enum Failure {
    Request(RequestError),
    Transport(TransportError),
}

impl Connection {
    /// Sends a request, and repeats it when that is safe. Each attempt has the same request id and
    /// the same idempotency key.
    pub(super) async fn execute(&self, call: Box<Call>) -> Result<Exchange, Failure> {
        #[cfg(feature = "tracing")]
        let (call, span) = trace::begin(call);
        let attempts = self.attempt(call);
        #[cfg(feature = "tracing")]
        let attempts = tracing::Instrument::instrument(attempts, span);
        attempts.await
    }

    async fn attempt(&self, mut call: Box<Call>) -> Result<Exchange, Failure> {
        let (repeat, vouched) = (call.operation.repeat, call.repeatable);
        let policy = match call.retries.unwrap_or(self.retries) {
            _ if repeat == Repeat::Never && !vouched => RetryPolicy::off(),
            policy => policy,
        };
        let timeout = call.timeout.unwrap_or(self.timeout);
        if let Some(flaw) = call.flaw.take() {
            return Err(flaw.into());
        }
        #[cfg(feature = "credentials")]
        let mut pass = self.admit(&mut call, timeout).await?;
        #[cfg(feature = "keys")]
        if policy.is_on() {
            call.key();
        }
        let mut request = self.prepare(&mut call)?;
        #[cfg(feature = "tracing")]
        call.span.record("request_id", call.request_id.as_deref());
        #[cfg(feature = "streams")]
        let patience = (!call.streamed).then_some(timeout);
        #[cfg(not(feature = "streams"))]
        let patience = Some(timeout);
        *request.timeout_mut() = patience;
        let (start, mut made) = (self.clock.instant(), 0);
        loop {
            // What is sent as a stream is gone, and cannot be sent again.
            let again = policy.is_on();
            #[cfg(feature = "credentials")]
            let again = again || pass.is_some();
            let copy = again.then(|| request.try_clone()).flatten();
            #[cfg(feature = "streams")]
            let result = if call.streamed {
                self.open(call.operation.method, request, timeout).await
            } else {
                self.send(request).await
            };
            #[cfg(not(feature = "streams"))]
            let result = self.send(request).await;
            let answer = result.as_ref().map(|exchange| &exchange.answer);
            #[cfg(feature = "credentials")]
            if pass::is_refused(answer)
                && let Some(pass) = pass.take()
                && let Some(renewed) = self.renew(&pass, copy.as_ref(), timeout).await
            {
                request = renewed;
                continue;
            }
            made += 1;
            #[cfg(feature = "tracing")]
            trace::attempt(&call.span, made, answer.map(|answer| answer.status));
            let pause = retry::trouble(answer, self.clock.now()).and_then(|trouble| {
                let elapsed = self.clock.instant().saturating_duration_since(start);
                policy.pause(trouble, made, elapsed, retry::chance())
            });
            #[cfg(feature = "keys")]
            let pause = pause.filter(|_| {
                vouched
                    || copy
                        .as_ref()
                        .is_some_and(|own| retry::is_repeatable(repeat, own))
            });
            if let Some((copy, pause)) = copy.zip(pause) {
                self.clock.wait(pause).await;
                request = copy;
                continue;
            }
            let request_id = call.request_id;
            return match result {
                Ok(exchange) => Ok(Exchange {
                    request_id,
                    lenient: self.lenient,
                    ..exchange
                }),
                Err(source) => Err(Failure::Transport(TransportError { request_id, source })),
            };
        }
    }

    fn prepare(&self, call: &mut Call) -> Result<reqwest::Request, RequestError> {
        if let Some(name) = call.operation.request_id {
            let id = call
                .request_id
                .get_or_insert_with(|| Uuid::new_v4().to_string())
                .clone();
            call.header(name, id);
        }
        #[cfg(any(feature = "credentials", feature = "styles"))]
        if !call.cookies.is_empty() {
            call.secret_header(header::COOKIE.as_str(), call.cookies.join("; "))?;
        }
        #[cfg(feature = "seals")]
        if let Some(seal) = call.seal.take() {
            let body = outgoing::whole(&call.body);
            let body =
                body.ok_or_else(|| RequestError::new("body: what is signed is no stream"))?;
            for (name, value) in seal(&call.headers, &body) {
                call.header(name, &value);
            }
        }
        if let Some(flaw) = call.flaw.take() {
            return Err(flaw);
        }
        let url = self.url(call)?;
        let method =
            Method::from_bytes(call.operation.method.as_bytes()).map_err(RequestError::new)?;
        let mut request = reqwest::Request::new(method, url);
        *request.headers_mut() = std::mem::take(&mut call.headers);
        request
            .headers_mut()
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("*/*"));
        let body = std::mem::take(&mut call.body);
        // A body that could be there and is empty is told from one that was lost (RFC 9110, 8.6).
        if body.is_empty() && matches!(call.operation.method, "PATCH" | "POST" | "PUT") {
            let none = HeaderValue::from_static("0");
            request.headers_mut().insert(header::CONTENT_LENGTH, none);
        }
        if !body.is_empty() {
            *request.body_mut() = Some(body.into());
        }
        Ok(request)
    }

    /// The whole address. Scheme, host and port of one below that of the connection are not read
    /// again; a path that could be read as a host is only parsed behind them.
    fn url(&self, call: &Call) -> Result<reqwest::Url, RequestError> {
        if let (Some(base), None) = (&self.base, &call.address) {
            let relative = call.address(base.path().trim_end_matches('/'));
            let mut start = relative.bytes();
            if start.next() == Some(b'/') && start.next().is_some_and(|c| c.is_ascii_alphanumeric())
            {
                return base.join(&relative).map_err(RequestError::new);
            }
        }
        reqwest::Url::parse(&call.address(&self.base_url)).map_err(RequestError::new)
    }

    async fn send(&self, request: reqwest::Request) -> Result<Exchange, Cause> {
        let mut response = self.http.execute(request).await.map_err(Cause::of)?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let body = response.bytes().await.map_err(Cause::of)?;
        let answer = Answer {
            status,
            headers,
            body,
        };
        Ok(answer.into())
    }
}

#[cfg(feature = "credentials")]
impl Connection {
    /// Adds the credentials, with a token that is fetched where it takes one.
    async fn admit(&self, call: &mut Call, timeout: Duration) -> Result<Option<Pass>, Failure> {
        let Some(tokens) = credential::apply(&self.credentials, call.operation, call)? else {
            return Ok(None);
        };
        let token = self.token(&tokens, None, timeout).await;
        let token = token.map_err(RequestError::new)?;
        call.secret_header(header::AUTHORIZATION.as_str(), credential::bearer(&token))?;
        Ok(Some(Pass { tokens, token }))
    }

    async fn token(
        &self,
        tokens: &Tokens,
        refused: Option<&str>,
        timeout: Duration,
    ) -> Result<String, TokenError> {
        let context = TokenContext {
            http: self.http.clone(),
            base_url: self.base_url.clone(),
        };
        let token = tokens.token(context, &*self.clock, refused);
        let silence = |_| TokenError::new(format_args!("nothing came for {timeout:?}"));
        tokio::time::timeout(timeout, token)
            .await
            .map_err(silence)?
    }

    /// The request with another token than the one that the server does not take, if there is one.
    async fn renew(
        &self,
        pass: &Pass,
        request: Option<&reqwest::Request>,
        timeout: Duration,
    ) -> Option<reqwest::Request> {
        let mut request = request?.try_clone()?;
        let token = self.token(&pass.tokens, Some(&pass.token), timeout).await;
        let mut value = HeaderValue::try_from(credential::bearer(&token.ok()?)).ok()?;
        value.set_sensitive(true);
        request.headers_mut().insert(header::AUTHORIZATION, value);
        Some(request)
    }
}

#[cfg(feature = "streams")]
impl Connection {
    /// Waits for the head of the answer only.
    async fn open(
        &self,
        method: &str,
        request: reqwest::Request,
        timeout: Duration,
    ) -> Result<Exchange, Cause> {
        let again = (method == "GET").then(|| {
            Box::new(Again {
                http: self.http.clone(),
                url: request.url().clone(),
                headers: request.headers().clone(),
                timeout,
            })
        });
        let (answer, response) = head(&self.http, request, timeout).await?;
        Ok(Exchange {
            answer,
            rest: Some(Incoming::new(response, timeout, again)),
            request_id: None,
            lenient: false,
        })
    }
}

impl From<Answer> for Exchange {
    fn from(answer: Answer) -> Self {
        Self {
            answer,
            #[cfg(feature = "streams")]
            rest: None,
            request_id: None,
            lenient: false,
        }
    }
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl<E> From<Failure> for Error<E> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Request(error) => error.into(),
            Failure::Transport(error) => error.into(),
        }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("base_url", &self.base_url)
            .finish_non_exhaustive()
    }
}
