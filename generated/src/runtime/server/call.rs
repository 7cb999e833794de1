//! One request of an operation, before its parameters and body are read.

use std::fmt;
use std::ops::Range;

use bytes::Bytes;
use http::{HeaderMap, header};
use serde::de::DeserializeOwned;

use super::super::byte_stream::ByteStream;
use super::super::constraint::{self, Validate, Violations};
use super::super::form;
use super::super::json::Unreadable;
use super::super::media_type;
use super::super::multipart::{self, Parts};
use super::super::nullable::refusing_null;
use super::super::parameter::nesting;
use super::super::parameter::{self, Parameter, Place, StyleError, Tree};
use super::super::problem::Fault;
use super::context::Context;
use super::faults;
use super::refusal::{Reason, Refusal};
use super::upload::Uploads;

/// One request of an operation. The read methods refuse an unreadable value at once. They collect
/// violations of the schema, which [`Call::finish`] refuses together. A read method that has no
/// value to return refuses them earlier.
pub struct Call {
    context: Context,
    path: Captured,
    body: Bytes,
    stream: Option<ByteStream>,
    uploads: Option<Uploads>,
    faults: Vec<Fault>,
}

/// The path parameters of the operation, with their places in the path of the request.
pub(super) type Captured = Vec<(&'static str, Range<usize>)>;

/// The body of a request: already read, or still a stream.
pub(super) enum Payload {
    Whole(Bytes),
    Stream(ByteStream),
    Uploads(Uploads),
}

#[doc(hidden)]
impl Call {
    pub(super) fn new(context: Context, path: Captured, payload: Payload) -> Self {
        let mut call = Self {
            context,
            path,
            body: Bytes::new(),
            stream: None,
            uploads: None,
            faults: Vec::new(),
        };
        match payload {
            Payload::Whole(bytes) => call.body = bytes,
            Payload::Stream(stream) => call.stream = Some(stream),
            Payload::Uploads(uploads) => call.uploads = Some(uploads),
        }
        call
    }

    /// Reads path, query, header and cookie parameters.
    pub fn parameters<P: DeserializeOwned + Validate>(&mut self) -> Result<P, Refusal> {
        let table = self.context.operation.parameters;
        let parameters: P = faults::read_fields(|| self.fields(table), table)?;
        self.faults.extend(
            parameters
                .violations()
                .into_iter()
                .map(|violation| faults::located(violation.into(), table)),
        );
        Ok(parameters)
    }

    /// The parameters as texts, and the faults of the texts themselves.
    fn fields(&self, table: &[Parameter]) -> (Vec<(&'static str, Tree)>, Vec<Fault>) {
        let travels = |place| table.iter().any(|parameter| parameter.place == place);
        let query = self.context.uri.query().filter(|_| travels(Place::Query));
        let query = nesting::split_pairs(query.unwrap_or_default(), '&');
        let cookies = travels(Place::Cookie).then(|| self.cookies());
        let cookies = cookies.unwrap_or_default();
        let (mut fields, mut broken) = (Vec::with_capacity(table.len()), Vec::new());
        for parameter in table {
            let found = match parameter.place {
                Place::Query => parameter::parse_pairs(parameter, &query, table),
                Place::Cookie => parameter::parse_pairs(parameter, &cookies, table),
                Place::Path => {
                    let mut captured = self.path.iter().filter(|(name, _)| *name == parameter.name);
                    let place = captured.next().map(|(_, place)| place.clone());
                    let text = place.and_then(|place| self.context.uri.path().get(place));
                    parsed(parameter, text)
                }
                Place::Header => parsed(parameter, self.header_text(parameter.name).as_deref()),
            };
            match found {
                Ok(tree) => fields.extend(tree.map(|tree| (parameter.field, tree))),
                Err(StyleError) => broken.push(faults::unparsed(parameter)),
            }
        }
        (fields, broken)
    }

    /// The cookies, not decoded.
    fn cookies(&self) -> Vec<(&str, &str)> {
        let cookies = self.context.headers.get_all(header::COOKIE).iter();
        let cookies = cookies.filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|value| nesting::split_pairs(value, ';'))
            .collect()
    }

    /// All values of a header; they mean the same as one with commas.
    fn header_text(&self, name: &str) -> Option<String> {
        let values = self.context.headers.get_all(name).iter();
        let texts: Vec<_> = values.filter_map(|value| value.to_str().ok()).collect();
        (!texts.is_empty()).then(|| texts.join(", "))
    }

    /// All headers.
    pub fn headers(&self) -> &HeaderMap {
        &self.context.headers
    }

    /// The body, byte for byte as received.
    pub fn raw(&self) -> &Bytes {
        &self.body
    }

    /// Whether the body is of this media type.
    pub fn is(&self, media_type: &str) -> bool {
        let given = self.context.header(header::CONTENT_TYPE.as_str());
        given.is_some_and(|given| media_type::matches(given, media_type))
    }

    /// Whether there is a body.
    pub fn has_body(&self) -> bool {
        !self.body.is_empty() || self.stream.is_some() || self.uploads.is_some()
    }

    /// The refusal of a body with a media type outside `media_types`.
    pub fn unsupported(&self, media_types: &[&str]) -> Refusal {
        let detail = format!(
            "the body must be of the media type {}",
            media_types.join(" or ")
        );
        Refusal::new(Reason::MediaType, detail)
    }

    /// Reads a JSON body of the given media type.
    pub fn json<T: DeserializeOwned + Validate>(&mut self, media_type: &str) -> Result<T, Refusal> {
        self.expect(media_type)?;
        let body: T = refusing_null(|| faults::read_json(&self.body, &mut self.faults))?;
        self.faults
            .extend(body.violations().into_iter().map(Fault::from));
        Ok(body)
    }

    /// Reads a form. `table` lists the fields with a non-default encoding.
    pub fn form<T: DeserializeOwned + Validate>(
        &mut self,
        table: &[Parameter],
    ) -> Result<T, Refusal> {
        self.expect(form::MEDIA_TYPE)?;
        let body: T = form::read(&self.body, table).map_err(|error| self.refuse(error))?;
        self.faults
            .extend(body.violations().into_iter().map(Fault::from));
        Ok(body)
    }

    /// Reads a body in several parts; its files go to where [`super::Routes::files`] says.
    pub async fn multipart(&mut self) -> Result<Parts, Refusal> {
        self.expect(multipart::MEDIA_TYPE)?;
        if let Some(uploads) = self.uploads.take() {
            return uploads.read(&self.context).await;
        }
        let content_type = self
            .context
            .header(header::CONTENT_TYPE.as_str())
            .unwrap_or_default();
        let parts =
            multipart::read(content_type, &self.body).map_err(|error| self.refuse(error))?;
        Ok(parts.into())
    }

    /// Records the constraints that an already read body breaks.
    pub fn check<T: Validate>(&mut self, body: &T) {
        self.faults
            .extend(body.violations().into_iter().map(Fault::from));
    }

    /// Records the constraints that a body without a named type breaks.
    pub fn check_by(&mut self, check: impl FnOnce(&mut Violations<'_>)) {
        let violations = constraint::found(check).into_iter();
        self.faults.extend(violations.map(Fault::from));
    }

    /// The refusal of a body that cannot be read.
    pub fn refuse(&self, error: Unreadable) -> Refusal {
        faults::refusal(error, self.faults.clone())
    }

    /// Reads a text body of the given media type.
    pub fn text(&mut self, media_type: &str) -> Result<String, Refusal> {
        self.expect(media_type)?;
        String::from_utf8(self.body.to_vec())
            .map_err(|_| self.refuse(Unreadable::malformed("the body is not UTF-8")))
    }

    /// The stream of bytes of a body of the given media type.
    pub fn stream(&mut self, media_type: &str) -> Result<ByteStream, Refusal> {
        self.expect(media_type)?;
        let whole = || ByteStream::from(self.body.clone());
        Ok(self.stream.take().unwrap_or_else(whole))
    }

    /// Does not refuse an empty body: it counts as a missing body.
    fn expect(&self, media_type: &str) -> Result<(), Refusal> {
        if self.is(media_type) || !self.has_body() {
            return Ok(());
        }
        Err(self.unsupported(&[media_type]))
    }

    /// Returns the context for the implementation, or refuses all collected violations together.
    pub fn finish(self) -> Result<Context, Refusal> {
        if self.faults.is_empty() {
            return Ok(self.context);
        }
        Err(faults::contract(self.faults))
    }
}

fn parsed(parameter: &Parameter, text: Option<&str>) -> Result<Option<Tree>, StyleError> {
    let tree = text.map(|text| parameter::parse_text(parameter, text).ok_or(StyleError));
    tree.transpose()
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
