//! A request that is awaited to send it.

use std::fmt;
use std::future::IntoFuture;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

#[cfg(feature = "streams")]
use super::super::byte_stream::ByteStream;
use super::super::constraint::{self, Validate, Violations};
use super::super::form;
#[cfg(feature = "streams")]
use super::super::multipart;
use super::super::parameter::{Parameter, Tree};
use super::call::Call;
#[cfg(feature = "seals")]
use super::call::Seal;
use super::connection::{Connection, Exchange};
use super::endpoint::{Endpoint, Outcome};
use super::error::{DecodeError, Error, UnexpectedError};
use super::lenient;
use super::own_server;
use super::response::Response;
use super::retry::RetryPolicy;

/// A request of the operation `O`. Await it to send it.
#[must_use = "a request is sent when it is awaited"]
pub struct Request<O: Endpoint> {
    connection: Arc<Connection>,
    /// Apart, since a request is moved whenever something is added to it.
    call: Box<Call>,
    pub(super) parameters: O::Parameters,
}

impl<O: Endpoint> Request<O> {
    /// Sends the request to this server, such as one of `servers`, whatever that of the connection.
    pub fn server(mut self, base_url: impl Into<String>) -> Self {
        let base_url: String = base_url.into();
        self.call.base = Some(base_url.trim_end_matches('/').to_owned());
        self
    }

    /// Sends this request id instead of a fresh one.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.call.request_id = Some(id.into());
        self
    }

    /// Sends one more header, or this value instead of the usual one.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.call.header(name, value);
        self
    }

    /// Sets how long one attempt may take, for this request only.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.call.timeout = Some(timeout);
        self
    }

    /// How often and when this request is sent again; what may not be repeated is not for that.
    pub fn retries(mut self, policy: RetryPolicy) -> Self {
        self.call.retries = Some(policy);
        self
    }

    /// Says that a repetition does no harm, where the document does not say so.
    pub fn repeatable(mut self) -> Self {
        self.call.repeatable = true;
        self
    }

    /// With these parameters in place of all that it has.
    pub fn parameters(mut self, parameters: O::Parameters) -> Self {
        self.parameters = parameters;
        self
    }
}

/// What generated code makes of a request.
#[doc(hidden)]
impl<O: Endpoint> Request<O> {
    /// A request without a body.
    pub fn new(connection: &Arc<Connection>, parameters: O::Parameters) -> Self {
        let connection = Arc::clone(connection);
        Self {
            connection,
            call: Box::new(Call::new(O::OPERATION)),
            parameters,
        }
    }

    /// The parameters, for the methods that set optional ones.
    pub fn parameters_mut(&mut self) -> &mut O::Parameters {
        &mut self.parameters
    }

    /// Sends the request to this address, whatever that of the connection.
    pub fn to(mut self, address: &str) -> Self {
        self.call.address = Some(address.to_owned());
        self
    }

    /// Sends the request to the server of its operation, where the connection leads to one of the
    /// document's. A connection to anywhere else, such as a proxy or a test, is kept.
    pub fn own_server(self, document: &[&str], own: &str) -> Self {
        match own_server::address(&self.connection.base_url, document, own) {
            Some(address) => self.server(address),
            None => self,
        }
    }

    /// Adds headers that are made of the others and the body, right before the request is sent.
    #[cfg(feature = "seals")]
    pub fn seal(mut self, seal: Seal) -> Self {
        self.call.seal = Some(seal);
        self
    }

    /// With a JSON body.
    pub fn json<T: Serialize + Validate + ?Sized>(mut self, media_type: &str, body: &T) -> Self {
        self = self.check(body);
        match serde_json::to_vec(body) {
            Ok(text) => self.call.content(media_type, text),
            Err(error) => self.call.spoil(format_args!("body: {error}")),
        }
        self
    }

    /// With a form for a body.
    pub fn form<T>(mut self, body: &T, table: &[Parameter]) -> Self
    where
        T: Serialize + Validate + ?Sized,
    {
        self = self.check(body);
        match form::write(body, table) {
            Ok(text) => self.call.content(form::MEDIA_TYPE, text),
            Err(error) => self.call.spoil(format_args!("body: {error}")),
        }
        self
    }

    /// With a body in several parts.
    #[cfg(feature = "streams")]
    pub fn multipart(mut self, parts: multipart::Written) -> Self {
        match parts {
            Ok(parts) => {
                let (media_type, body) = multipart::write(&parts);
                self.call.content(&media_type, body);
            }
            Err(error) => self.call.spoil(format_args!("body: {error}")),
        }
        self
    }

    /// With a body of bytes or text, whole or as a stream.
    #[cfg(feature = "streams")]
    pub fn bytes(mut self, media_type: &str, body: impl Into<ByteStream>) -> Self {
        self.call.content(media_type, body.into());
        self
    }

    /// Refuses a body that breaks a constraint, where the settings say so.
    pub fn check<T: Validate + ?Sized>(mut self, body: &T) -> Self {
        if self.connection.checking {
            self.call.hold("body", body.violations());
        }
        self
    }

    /// Refuses a body by constraints that no type has, where the settings say so.
    pub fn check_by(mut self, check: impl FnOnce(&mut Violations<'_>)) -> Self {
        if self.connection.checking {
            self.call.hold("body", constraint::found(check));
        }
        self
    }

    /// The parameters are put where they travel.
    pub(super) fn place(mut self) -> (Arc<Connection>, Box<Call>) {
        if self.connection.checking {
            self.call.hold("parameters", self.parameters.violations());
        }
        match Tree::of(&self.parameters) {
            Ok(Some(values)) => self.call.place(&values),
            Ok(None) => {}
            Err(error) => self.call.spoil(format_args!("parameters: {error}")),
        }
        (self.connection, self.call)
    }
}

impl<O: Endpoint> IntoFuture for Request<O> {
    type Output = Result<Response<O::Success>, Error<O::Error>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let (connection, call) = self.place();
        Box::pin(async move { settle::<O>(connection.execute(call).await?) })
    }
}

pub(super) fn settle<O: Endpoint>(
    exchange: Exchange,
) -> Result<Response<O::Success>, Error<O::Error>> {
    let Exchange {
        answer,
        request_id,
        lenient,
        ..
    } = exchange;
    let (decoded, deviations) = if lenient {
        lenient::decode(&answer, O::decode)
    } else {
        (O::decode(&answer), Vec::new())
    };
    match decoded {
        Ok(Outcome::Success(body)) => Ok(Response {
            status: answer.status,
            headers: answer.headers,
            request_id,
            body,
            deviations,
        }),
        Ok(Outcome::Refused(body)) => {
            let (status, headers) = (answer.status, answer.headers);
            Err(Error::Refused(Box::new(Response {
                status,
                headers,
                request_id,
                body,
                deviations,
            })))
        }
        Ok(Outcome::Undocumented) => Err(Error::Unexpected(Box::new(UnexpectedError {
            answer,
            request_id,
        }))),
        Err(reason) => Err(Error::Decode(Box::new(DecodeError {
            answer,
            request_id,
            reason,
        }))),
    }
}

impl<O: Endpoint> fmt::Debug for Request<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.call.fmt(f)
    }
}
