//! A request that is sent once more, for what comes after the last event.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, Method};

use super::super::answer::Answer;
use super::super::byte_stream::ByteStream;
use super::arrival;
use super::error::Cause;

/// A GET that can be sent once more.
pub(super) struct Again {
    pub(super) http: reqwest::Client,
    pub(super) url: reqwest::Url,
    pub(super) headers: HeaderMap,
    pub(super) timeout: Duration,
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
        .map_err(Cause::of)?;
    let answer = Answer {
        status: response.status(),
        headers: std::mem::take(response.headers_mut()),
        ..Answer::default()
    };
    Ok((answer, response))
}
