//! Sends a request and reads its answer as a stream.

use std::fmt;
use std::future::IntoFuture;
use std::pin::Pin;

use super::connection::Exchange;
use super::endpoint::Streamed;
use super::error::{Cause, Error, TransportError};
use super::request::{Request, settle};
use super::response::Response;

/// A request of the operation `O` with a streamed answer. Await it to send it.
#[must_use = "a request is sent when it is awaited"]
pub struct Streaming<O: Streamed> {
    request: Request<O>,
}

impl<O: Streamed> Request<O> {
    /// Reads the body of the answer as a stream, instead of waiting for all of it.
    pub fn stream(self) -> Streaming<O> {
        Streaming::new(self)
    }
}

impl<O: Streamed> Streaming<O> {
    fn new(request: Request<O>) -> Self {
        Self { request }
    }
}

impl<O: Streamed> IntoFuture for Streaming<O> {
    type Output = Result<Response<O::Stream>, Error<O::Error>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let (connection, mut call) = self.request.place();
        call.streamed = true;
        Box::pin(async move { open::<O>(connection.execute(call).await?).await })
    }
}

async fn open<O: Streamed>(mut exchange: Exchange) -> Result<Response<O::Stream>, Error<O::Error>> {
    let Some(body) = exchange.rest.take() else {
        return settle::<O>(exchange).map(|response| response.map(O::whole));
    };
    match O::open(&exchange.answer, body) {
        Ok(body) => Ok(Response {
            status: exchange.answer.status,
            headers: exchange.answer.headers,
            request_id: exchange.request_id,
            body,
            deviations: Vec::new(),
        }),
        Err(body) => {
            let whole = body.bytes().collect(usize::MAX).await;
            exchange.answer.body = whole.map_err(|error| TransportError {
                request_id: exchange.request_id.clone(),
                source: Cause::Body(error),
            })?;
            settle::<O>(exchange).map(|response| response.map(O::whole))
        }
    }
}

impl<O: Streamed> fmt::Debug for Streaming<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}
