//! Builds the requests that the links of an answer describe.

use std::collections::BTreeMap;
use std::fmt;
use std::future::IntoFuture;
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::super::json;
use super::super::operation::Operation;
use super::super::parameter::{Place, Tree, read_tree};
use super::connection::Connection;
use super::endpoint::Endpoint;
use super::error::Error;
use super::outgoing;
use super::request::{Request, settle};
use super::response::Response;

/// A request of the operation `O` that keeps its answer, so that you can follow the answer's links.
/// Await it to send it.
#[must_use = "a request is sent when it is awaited"]
pub struct Linking<O: Endpoint> {
    request: Request<O>,
}

/// An answer, with the request that the links of the answer refer to.
pub struct Linked<O: Endpoint> {
    /// The answer.
    pub response: Response<O::Success>,
    /// The exchange that led to it.
    #[doc(hidden)]
    pub origin: Origin,
}

/// The sent request and the received answer.
#[doc(hidden)]
pub struct Origin {
    connection: Arc<Connection>,
    operation: &'static Operation,
    url: String,
    parameters: Tree,
    headers: HeaderMap,
    sent: Bytes,
    status: StatusCode,
    request_id: Option<String>,
    received_headers: HeaderMap,
    received: Bytes,
}

/// The source of a value of a link: a runtime expression of `OpenAPI`, or a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    /// `$url`
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$request.path.…`
    RequestPath(&'static str),
    /// `$request.query.…`
    RequestQuery(&'static str),
    /// `$request.header.…`
    RequestHeader(&'static str),
    /// `$request.body#…`, with a JSON pointer.
    RequestBody(&'static str),
    /// `$response.header.…`
    ResponseHeader(&'static str),
    /// `$response.body#…`, with a JSON pointer.
    ResponseBody(&'static str),
    /// A value as JSON text.
    Constant(&'static str),
    /// A text with expressions in it.
    Text(&'static [Expression]),
}

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkError {
    /// The name of the link.
    pub link: &'static str,
    /// The reason.
    pub message: String,
}

/// One link of an answer.
pub struct Link<'a> {
    from: &'a Origin,
    name: &'static str,
}

impl<O: Endpoint> Request<O> {
    /// Keeps the answer together with the request, so that its links can be followed.
    pub fn linked(self) -> Linking<O> {
        Linking::new(self)
    }
}

impl<O: Endpoint> Linking<O> {
    fn new(request: Request<O>) -> Self {
        Self { request }
    }
}

impl<O: Endpoint> IntoFuture for Linking<O>
where
    O::Success: Send,
{
    type Output = Result<Linked<O>, Error<O::Error>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        let parameters = Tree::of(&self.request.parameters);
        let (connection, call) = self.request.place();
        // Parameters that do not form a tree are already an error of the request.
        let parameters = parameters.ok().flatten().unwrap_or(Tree::empty());
        let url = call.address(&connection.base_url);
        let (headers, sent) = (
            call.headers.clone(),
            outgoing::whole(&call.body).unwrap_or_default(),
        );
        Box::pin(async move {
            let answered = connection.execute(call).await?;
            let origin = Origin {
                connection,
                operation: O::OPERATION,
                url,
                parameters,
                headers,
                sent,
                status: answered.answer.status,
                request_id: answered.request_id.clone(),
                received_headers: answered.answer.headers.clone(),
                received: answered.answer.body.clone(),
            };
            let response = settle::<O>(answered)?;
            Ok(Linked { response, origin })
        })
    }
}

impl Origin {
    /// A link of the answers with these statuses.
    ///
    /// # Errors
    /// The answer has another status.
    pub fn follow(
        &self,
        name: &'static str,
        statuses: RangeInclusive<u16>,
    ) -> Result<Link<'_>, LinkError> {
        let link = Link { from: self, name };
        let status = self.status.as_u16();
        if statuses.contains(&status) {
            return Ok(link);
        }
        Err(link.error(format_args!("the answer {status} does not have it")))
    }
}

impl Link<'_> {
    /// The connection for the request that the link is for.
    pub fn connection(&self) -> &Arc<Connection> {
        &self.from.connection
    }

    /// A parameter that must be there.
    ///
    /// # Errors
    /// There is no such value, or it is of another type.
    pub fn value<T: DeserializeOwned>(&self, expression: Expression) -> Result<T, LinkError> {
        let value = self.optional(expression)?;
        value.ok_or_else(|| self.error(format_args!("`{expression}` has no value")))
    }

    /// A parameter that may be there.
    ///
    /// # Errors
    /// The value is of another type.
    pub fn optional<T: DeserializeOwned>(
        &self,
        expression: Expression,
    ) -> Result<Option<T>, LinkError> {
        let wrong = |error: &dyn fmt::Display| self.error(format_args!("`{expression}`: {error}"));
        let Some(json) = self.from.evaluate(expression) else {
            return Ok(None);
        };
        match Tree::read(&json).map_err(|error| wrong(&error))? {
            None => Ok(None),
            Some(tree) => read_tree(tree).map(Some).map_err(|error| wrong(&error)),
        }
    }

    /// A JSON body.
    ///
    /// # Errors
    /// There is no such value, or it is of another type.
    pub fn body<T: DeserializeOwned>(&self, expression: Expression) -> Result<T, LinkError> {
        let json = self.from.evaluate(expression);
        let json = json.ok_or_else(|| self.error(format_args!("`{expression}` has no value")))?;
        json::read(json.as_bytes())
            .map_err(|error| self.error(format_args!("`{expression}`: {error}")))
    }

    fn error(&self, message: impl fmt::Display) -> LinkError {
        LinkError {
            link: self.name,
            message: message.to_string(),
        }
    }
}

impl Origin {
    /// The value of an expression as JSON text; `None` when the exchange has no such value.
    fn evaluate(&self, expression: Expression) -> Option<String> {
        let text = |text: &str| serde_json::to_string(text).ok();
        match expression {
            Expression::Url => text(&self.url),
            Expression::Method => text(self.operation.method),
            Expression::StatusCode => Some(self.status.as_u16().to_string()),
            Expression::RequestPath(name) => self.parameter(Place::Path, name),
            Expression::RequestQuery(name) => self.parameter(Place::Query, name),
            Expression::RequestHeader(name) => {
                let is_id = |id: &str| id.eq_ignore_ascii_case(name);
                if self.operation.request_id.is_some_and(is_id) {
                    return text(self.request_id.as_deref()?);
                }
                let declared = self.parameter(Place::Header, name);
                declared.or_else(|| text(self.headers.get(name)?.to_str().ok()?))
            }
            Expression::RequestBody(pointer) => at(&self.sent, pointer),
            Expression::ResponseHeader(name) => {
                text(self.received_headers.get(name)?.to_str().ok()?)
            }
            Expression::ResponseBody(pointer) => at(&self.received, pointer),
            Expression::Constant(json) => Some(json.to_owned()),
            Expression::Text(pieces) => {
                let pieces = pieces.iter().map(|piece| {
                    let json = self.evaluate(*piece)?;
                    Tree::read(&json).ok()??.into_text()
                });
                text(&pieces.collect::<Option<String>>()?)
            }
        }
    }

    fn parameter(&self, place: Place, name: &str) -> Option<String> {
        let mut parameters = self.operation.parameters.iter();
        let parameter = parameters.find(|one| {
            one.place == place
                && (one.name == name
                    || place == Place::Header && one.name.eq_ignore_ascii_case(name))
        })?;
        serde_json::to_string(self.parameters.get(parameter.field)?).ok()
    }
}

/// The value at a JSON pointer, with the digits of its numbers unchanged.
fn at(body: &[u8], pointer: &str) -> Option<String> {
    let mut value: &RawValue = serde_json::from_slice(body).ok()?;
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let json = value.get();
        value = if json.starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
            items.into_iter().nth(segment.parse().ok()?)?
        } else {
            let mut members: BTreeMap<String, &RawValue> = serde_json::from_str(json).ok()?;
            members.remove(&segment)?
        };
    }
    Some(value.get().to_owned())
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url => f.write_str("$url"),
            Self::Method => f.write_str("$method"),
            Self::StatusCode => f.write_str("$statusCode"),
            Self::RequestPath(name) => write!(f, "$request.path.{name}"),
            Self::RequestQuery(name) => write!(f, "$request.query.{name}"),
            Self::RequestHeader(name) => write!(f, "$request.header.{name}"),
            Self::RequestBody(pointer) => write!(f, "$request.body#{pointer}"),
            Self::ResponseHeader(name) => write!(f, "$response.header.{name}"),
            Self::ResponseBody(pointer) => write!(f, "$response.body#{pointer}"),
            Self::Constant(json) => f.write_str(json),
            Self::Text(pieces) => pieces.iter().try_for_each(|piece| match piece {
                Self::Constant(json) => f.write_str(json.trim_matches('"')),
                expression => write!(f, "{{{expression}}}"),
            }),
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the link `{}` cannot be followed: {}",
            self.link, self.message
        )
    }
}

impl std::error::Error for LinkError {}

impl<O: Endpoint> fmt::Debug for Linking<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl<O: Endpoint> fmt::Debug for Linked<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linked")
            .field("operation", &O::OPERATION.id)
            .field("status", &self.response.status.as_u16())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Origin").finish_non_exhaustive()
    }
}

impl fmt::Debug for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Link").field(&self.name).finish()
    }
}
