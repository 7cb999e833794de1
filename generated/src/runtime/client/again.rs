//! Answers that are taken as they come, and GET requests that are sent once more for what comes after
//! the last event.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method};

use super::super::answer::Answer;
use super::super::byte_stream::ByteStream;
use super::arrival;
use super::connection::{Connection, Exchange, cause};
use super::error::Cause;
use super::incoming::Incoming;

/// A GET that can be sent once more.
pub(super) struct Again {
    pub(super) http: reqwest::Client,
    pub(super) url: reqwest::Url,
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
}

impl Connection {
    /// Waits for the head of the answer only.
    pub(super) async fn open(
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
        })
    }
}

impl Again {
    /// Sends the request after a pause, for what comes after an event.
    pub(super) fn open(
        &self,
        pause: Duration,
        last_id: Option<&str>,
    ) -> impl Future<Output = Result<(Answer, ByteStream), Cause>> + Send + 'static {
        let (http, timeout) = (self.http.clone(), self.timeout);
        let mut request = reqwest::Request::new(Method::GET, self.url.clone());
        request.headers_mut().clone_from(&self.headers);
        let id = last_id.and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok());
        if let Some(id) = id {
            request.headers_mut().insert("last-event-id", id);
        }
        async move {
            tokio::time::sleep(pause).await;
            let (answer, response) = head(&http, request, timeout).await?;
            Ok((answer, arrival::body(response, timeout)))
        }
    }
}

/// Sends a request and waits for the head of its answer.
pub(super) async fn head(
    http: &reqwest::Client,
    request: reqwest::Request,
    timeout: Duration,
) -> Result<(Answer, reqwest::Response), Cause> {
    let mut response = tokio::time::timeout(timeout, http.execute(request))
        .await
        .map_err(|_| Cause::Silence(timeout))?
        .map_err(cause)?;
    let answer = Answer {
        status: response.status(),
        headers: std::mem::take(response.headers_mut()),
        ..Answer::default()
    };
    Ok((answer, response))
}
