//! Sending requests.

use std::fmt;
use std::time::Duration;

use http::{HeaderValue, Method, header};

use super::super::answer::Answer;
use super::super::operation::Scheme;
use super::super::uuid::Uuid;
use super::call::Call;
use super::credential::{self, Credential};
use super::error::{Error, RequestError, TransportError};
use super::retry;

/// A server and how to reach it. Nothing here depends on an operation's types.
pub struct Connection {
    pub(super) base_url: String,
    pub(super) credentials: Vec<(Scheme, Credential)>,
    pub(super) timeout: Duration,
    pub(super) retries: u32,
    pub(super) http: reqwest::Client,
}

/// An answer, and the id its request was sent with.
pub(super) struct Exchange {
    pub(super) answer: Answer,
    pub(super) request_id: Option<String>,
}

/// What goes wrong before there is an answer to read.
pub(super) enum Failure {
    Request(RequestError),
    Transport(TransportError),
}

impl Connection {
    /// Sends a request, and again where that is safe, always with the same request id.
    pub(super) async fn execute(&self, mut call: Call) -> Result<Exchange, Failure> {
        let request = self.prepare(&mut call).map_err(Failure::Request)?;
        let repeatable = matches!(call.operation.method, "GET" | "HEAD");
        let limit = call
            .retries
            .unwrap_or(if repeatable { self.retries } else { 0 });
        let mut attempt = 0;
        loop {
            // Bodies are whole in memory, so that a request can always be copied.
            let copy = request
                .try_clone()
                .ok_or_else(|| Failure::Request(RequestError::new("body")))?;
            let result = self.send(copy).await;
            if let Some(pause) = retry::pause(&result, attempt).filter(|_| attempt < limit) {
                attempt += 1;
                tokio::time::sleep(pause).await;
                continue;
            }
            let request_id = call.request_id;
            return match result {
                Ok(answer) => Ok(Exchange { answer, request_id }),
                Err(source) => {
                    let source = source.without_url();
                    Err(Failure::Transport(TransportError { request_id, source }))
                }
            };
        }
    }

    fn prepare(&self, call: &mut Call) -> Result<reqwest::Request, RequestError> {
        if let Some(flaw) = call.flaw.take() {
            return Err(flaw);
        }
        if let Some(name) = call.operation.request_id {
            let id = call
                .request_id
                .get_or_insert_with(|| Uuid::random().to_string())
                .clone();
            call.header(name, &id);
        }
        credential::apply(&self.credentials, call.operation, call)?;
        if !call.cookies.is_empty() {
            call.secret_header(header::COOKIE.as_str(), call.cookies.join("; "))?;
        }
        if let Some(flaw) = call.flaw.take() {
            return Err(flaw);
        }
        let address = format!("{}{}", self.base_url, call.target());
        let url = reqwest::Url::parse(&address).map_err(RequestError::new)?;
        let method =
            Method::from_bytes(call.operation.method.as_bytes()).map_err(RequestError::new)?;
        let mut request = reqwest::Request::new(method, url);
        *request.headers_mut() = std::mem::take(&mut call.headers);
        request
            .headers_mut()
            .entry(header::ACCEPT)
            .or_insert(HeaderValue::from_static("*/*"));
        *request.timeout_mut() = Some(call.timeout.unwrap_or(self.timeout));
        *request.body_mut() = Some(std::mem::take(&mut call.body).into());
        Ok(request)
    }

    async fn send(&self, request: reqwest::Request) -> Result<Answer, reqwest::Error> {
        let mut response = self.http.execute(request).await?;
        let (status, headers) = (response.status(), std::mem::take(response.headers_mut()));
        let body = response.bytes().await?;
        Ok(Answer {
            status,
            headers,
            body,
        })
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
        let schemes: Vec<_> = self
            .credentials
            .iter()
            .map(|(scheme, _)| scheme.name)
            .collect();
        f.debug_struct("Connection")
            .field("base_url", &self.base_url)
            .field("credentials", &schemes)
            .finish_non_exhaustive()
    }
}
