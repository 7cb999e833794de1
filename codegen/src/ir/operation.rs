//! Operations, and what goes over the wire for them.

use super::{Docs, JsonKind, Link, Location, Method, Paging, Server, Status, Usage};

/// One operation.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its `operationId`, where it has one.
    pub id: Option<String>,
    /// The method.
    pub method: Method,
    /// The path as the document writes it.
    pub path: String,
    /// The path as literals and parameters.
    pub parts: Vec<PathPart>,
    /// Its documentation.
    pub docs: Docs,
    /// Parameters by place and name.
    pub parameters: Vec<Parameter>,
    /// The request body, where it has one.
    pub body: Option<Body>,
    /// The responses by status.
    pub responses: Vec<Response>,
    /// The alternative sets of schemes that authorize a request.
    pub security: Vec<Vec<Requirement>>,
    /// Whether requests are signed by the rules of Standard Webhooks.
    pub signed: bool,
    /// Whether a request may be sent again.
    pub repeat: Repeat,
    /// How its answers are divided into pages; `None` when they are not pages of a list.
    pub paging: Option<Paging>,
    /// Its own `servers`, or those of its path.
    pub servers: Vec<Server>,
}

impl Operation {
    /// Its id, or `POST /path` where it has none.
    pub fn label(&self) -> String {
        let id = self.id.clone();
        id.unwrap_or_else(|| format!("{} {}", self.method, self.path))
    }
}

/// A security scheme that an operation requires.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Requirement {
    /// The scheme, an index of [`super::Api::schemes`].
    pub scheme: usize,
    /// The required scopes.
    pub scopes: Vec<String>,
}

/// Whether a client may send a request again when it does not know the result of the first one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repeat {
    /// Always: a repeated request has no further effect.
    Idempotent,
    /// Only with the same key in the header of this name.
    Keyed(String),
    /// Only with a JSON body that has a value for this property.
    NaturalKey(String),
    /// Never: a repeated request may take effect twice.
    Never,
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathPart {
    /// Text as it stands.
    Literal(String),
    /// The value of a path parameter, by its name.
    Parameter(String),
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// The name on the wire.
    pub wire: String,
    /// Its place in the request.
    pub location: Location,
    /// Whether it must be given.
    pub required: bool,
    /// What it holds.
    pub usage: Usage,
    /// What kind of value that is.
    pub kind: JsonKind,
    /// How the value becomes text.
    pub style: Style,
    /// Whether each item and property becomes a parameter of its own.
    pub explode: bool,
    /// Whether reserved characters stay as they are.
    pub allow_reserved: bool,
    /// Its first documented example as JSON text.
    pub example: Option<String>,
    /// Its documentation.
    pub docs: Docs,
}

/// How the value of a parameter becomes text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `a,b`, in a path or a header.
    Simple,
    /// `name=a&name=b` or `name=a,b`.
    Form,
    /// `a b`
    SpaceDelimited,
    /// `a|b`
    PipeDelimited,
    /// `name[key]=value`
    DeepObject,
    /// `.a.b`
    Label,
    /// `;name=a`
    Matrix,
    /// JSON, for a field of a form whose media type is that.
    Json,
}

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Whether it must be sent.
    pub required: bool,
    /// The alternatives of its content; at least one.
    pub contents: Vec<Content>,
    /// Its documentation.
    pub docs: Docs,
}

/// One media type of a body, with its value.
#[derive(Debug, Clone)]
pub struct Content {
    /// The media type as the document writes it.
    pub media_type: String,
    /// How the value is written.
    pub encoding: Encoding,
    /// The value.
    pub usage: Usage,
    /// The fields of a form with a non-default encoding.
    pub fields: Vec<FormField>,
}

/// A field of a form with a non-default encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormField {
    /// Its name.
    pub wire: String,
    /// How the value becomes text.
    pub style: Style,
    /// Whether each item and property becomes a field of its own.
    pub explode: bool,
    /// What kind of value it holds.
    pub kind: JsonKind,
}

/// How the value of a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// JSON.
    Json,
    /// `application/x-www-form-urlencoded`
    Form,
    /// `multipart/form-data`
    Multipart,
    /// A text as it is.
    Text,
    /// Server-sent events; the value is the data of one.
    Events,
    /// Bytes as they are.
    Bytes,
}

/// A documented response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Its name in `components`, where it has one.
    pub component: Option<String>,
    /// The status or statuses.
    pub status: Status,
    /// The alternatives of its body; empty for a response without a body.
    pub contents: Vec<Content>,
    /// The declared headers by name.
    pub headers: Vec<Header>,
    /// The links by name.
    pub links: Vec<Link>,
    /// Its documentation.
    pub docs: Docs,
}

/// A declared header of a response.
#[derive(Debug, Clone)]
pub struct Header {
    /// Its name as the document writes it.
    pub wire: String,
    /// Whether it is required.
    pub required: bool,
    /// What it holds.
    pub usage: Usage,
    /// Its documentation.
    pub docs: Docs,
}
