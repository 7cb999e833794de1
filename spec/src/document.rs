//! Views of a bundled document in the specification's words, shared by lint, codegen and the runner.

use std::fmt;

use crate::diagnostic::Diagnostics;
use crate::node::{Entry, Node};
use crate::pointer::Pointer;
use crate::provenance::{Level, Provenance};
use crate::source::{Place, SourceMap, Span};

/// A document in one tree: external references have been lifted into `components`.
#[derive(Debug, Clone)]
pub struct Document {
    /// The tree.
    pub root: Node,
    /// The texts it was read from.
    pub sources: SourceMap,
    /// What reading found in any of the files, used or not, that did not keep it from going on.
    pub findings: Diagnostics,
}

/// A node and the pointer that leads to it in the bundle.
#[derive(Debug, Clone)]
pub struct Located<'d> {
    /// The node.
    pub node: &'d Node,
    /// Its pointer.
    pub pointer: Pointer,
}

impl<'d> Located<'d> {
    /// The value of a key, with its pointer.
    pub fn get(&self, key: &str) -> Option<Located<'d>> {
        let node = self.node.get(key)?;
        Some(Located {
            node,
            pointer: self.pointer.join(key),
        })
    }

    /// The entries, each value with its pointer.
    pub fn entries(&self) -> impl Iterator<Item = (&'d Entry, Located<'d>)> + '_ {
        self.node.entries().map(|entry| {
            let pointer = self.pointer.join(entry.key.as_str());
            (
                entry,
                Located {
                    node: &entry.value,
                    pointer,
                },
            )
        })
    }

    /// The items, each with its pointer.
    pub fn items(&self) -> impl Iterator<Item = Located<'d>> + '_ {
        self.node.items().enumerate().map(|(index, node)| Located {
            node,
            pointer: self.pointer.join(index.to_string()),
        })
    }
}

/// Why a reference leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// There is nothing at the pointer, or it is no pointer into this document.
    #[error("`{reference}` leads nowhere")]
    Nowhere {
        /// The text of the `$ref`.
        reference: String,
        /// Where it stands.
        span: Span,
    },
    /// The chain of references comes back to itself.
    #[error("`{reference}` leads back to itself")]
    Cycle {
        /// The text of the `$ref`.
        reference: String,
        /// Where it stands.
        span: Span,
    },
}

impl Document {
    /// The value of the `openapi` field.
    pub fn version(&self) -> Option<&str> {
        self.root.get("openapi")?.as_str()
    }

    /// The root with its empty pointer.
    pub fn located_root(&self) -> Located<'_> {
        Located {
            node: &self.root,
            pointer: Pointer::root(),
        }
    }

    /// The node a pointer leads to.
    pub fn lookup(&self, pointer: &Pointer) -> Option<Located<'_>> {
        Some(Located {
            node: self.root.at(pointer)?,
            pointer: pointer.clone(),
        })
    }

    /// Follows a chain of `$ref`s; a node that is none is returned as it is.
    ///
    /// # Errors
    /// A reference of the chain leads nowhere or back into the chain.
    pub fn resolve<'d>(&'d self, from: &Located<'d>) -> Result<Located<'d>, ResolveError> {
        let mut here = from.clone();
        let mut seen = Vec::new();
        while let Some(reference) = here.node.reference() {
            let span = here
                .node
                .get("$ref")
                .map_or(here.node.span, |target| target.span);
            let target = reference
                .strip_prefix('#')
                .and_then(Pointer::parse_fragment)
                .and_then(|pointer| self.lookup(&pointer));
            let reference = reference.to_owned();
            here = target.ok_or_else(|| ResolveError::Nowhere {
                reference: reference.clone(),
                span,
            })?;
            if seen.contains(&here.pointer) {
                return Err(ResolveError::Cycle { reference, span });
            }
            seen.push(here.pointer.clone());
        }
        Ok(here)
    }

    /// Line and column of a node.
    pub fn place(&self, span: Span) -> Place {
        self.sources.place(span)
    }

    /// Every operation under `paths`, in the order of the document.
    pub fn operations(&self) -> Vec<Operation<'_>> {
        let Some(paths) = self.located_root().get("paths") else {
            return Vec::new();
        };
        let mut operations = Vec::new();
        for (path, item) in paths
            .entries()
            .filter(|(path, _)| path.key.starts_with('/'))
        {
            let Ok(item) = self.resolve(&item) else {
                continue;
            };
            for (method, node) in item.entries() {
                let Some(method) = Method::parse(&method.key) else {
                    continue;
                };
                operations.push(Operation {
                    document: self,
                    path: &path.key,
                    method,
                    item: item.clone(),
                    at: node,
                });
            }
        }
        operations
    }

    /// The operation of an `operationId`.
    pub fn operation(&self, id: &str) -> Option<Operation<'_>> {
        self.operations()
            .into_iter()
            .find(|operation| operation.id() == Some(id))
    }

    /// The objects of a section of `components`, unresolved, in the order of the document.
    pub fn components(&self, section: &str) -> Vec<(&str, Located<'_>)> {
        let located = self
            .located_root()
            .get("components")
            .and_then(|all| all.get(section));
        located.map_or_else(Vec::new, |section| {
            section
                .entries()
                .map(|(entry, node)| (entry.key.as_str(), node))
                .collect()
        })
    }

    fn resolve_or_none<'d>(&'d self, from: &Located<'d>) -> Option<Located<'d>> {
        self.resolve(from).ok()
    }
}

/// An HTTP method that a path item may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "these are the methods' own names")]
pub enum Method {
    Get,
    Put,
    Post,
    Delete,
    Options,
    Head,
    Patch,
    Trace,
}

impl Method {
    /// Reads the field name of a path item.
    pub fn parse(key: &str) -> Option<Self> {
        Some(match key {
            "get" => Self::Get,
            "put" => Self::Put,
            "post" => Self::Post,
            "delete" => Self::Delete,
            "options" => Self::Options,
            "head" => Self::Head,
            "patch" => Self::Patch,
            "trace" => Self::Trace,
            _ => return None,
        })
    }

    /// The method as it stands on the request line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
        }
    }

    /// Whether the method only reads (RFC 9110, safe methods).
    pub fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options | Self::Trace)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One operation: a path and a method.
#[derive(Debug, Clone)]
pub struct Operation<'d> {
    document: &'d Document,
    /// The path template.
    pub path: &'d str,
    /// The method.
    pub method: Method,
    /// The path item it stands in.
    pub item: Located<'d>,
    /// The operation object.
    pub at: Located<'d>,
}

impl<'d> Operation<'d> {
    /// Its `operationId`.
    pub fn id(&self) -> Option<&'d str> {
        self.at.node.get("operationId")?.as_str()
    }

    /// Its `operationId`, or `POST /path` where it has none.
    pub fn label(&self) -> String {
        self.id()
            .map_or_else(|| format!("{} {}", self.method, self.path), str::to_owned)
    }

    /// Its tags.
    pub fn tags(&self) -> Vec<&'d str> {
        self.at
            .node
            .get("tags")
            .map(|tags| tags.strings().collect())
            .unwrap_or_default()
    }

    /// A text field of the operation, such as `summary`.
    pub fn text(&self, key: &str) -> Option<&'d str> {
        self.at.node.get(key)?.as_str()
    }

    /// Its parameters, resolved; those of the path item first, unless the operation has its own of
    /// the same name and place. References that lead nowhere are left out: lint reports them.
    pub fn parameters(&self) -> Vec<Parameter<'d>> {
        let mut parameters: Vec<Parameter<'d>> = Vec::new();
        for owner in [&self.item, &self.at] {
            let Some(list) = owner.get("parameters") else {
                continue;
            };
            for raw in list.items() {
                let Some(parameter) = Parameter::read(self.document, raw) else {
                    continue;
                };
                let same = |other: &Parameter<'_>| {
                    other.name == parameter.name && other.location == parameter.location
                };
                parameters.retain(|other| !same(other));
                parameters.push(parameter);
            }
        }
        parameters
    }

    /// Its request body, resolved.
    pub fn request_body(&self) -> Option<RequestBody<'d>> {
        let raw = self.at.get("requestBody")?;
        let at = self.document.resolve_or_none(&raw)?;
        Some(RequestBody {
            document: self.document,
            at,
        })
    }

    /// Its responses, resolved, in the order of the document.
    pub fn responses(&self) -> Vec<Response<'d>> {
        let Some(responses) = self.at.get("responses") else {
            return Vec::new();
        };
        let read = |(entry, raw): (&'d Entry, Located<'d>)| {
            let status = Status::parse(&entry.key)?;
            let at = self.document.resolve_or_none(&raw)?;
            let key_span = entry.key_span;
            Some(Response {
                document: self.document,
                status,
                key_span,
                raw,
                at,
            })
        };
        responses.entries().filter_map(read).collect()
    }

    /// The alternatives of its security requirement: each a list of scheme names with scopes. An
    /// empty list of alternatives, or an empty alternative, means that no credentials are needed.
    pub fn security(&self) -> Vec<Vec<(&'d str, Vec<&'d str>)>> {
        let own = self.at.node.get("security");
        let Some(requirements) = own.or_else(|| self.document.root.get("security")) else {
            return Vec::new();
        };
        let schemes = |requirement: &'d Node| {
            let scheme = |entry: &'d Entry| (entry.key.as_str(), entry.value.strings().collect());
            requirement.entries().map(scheme).collect()
        };
        requirements.items().map(schemes).collect()
    }

    /// How sure it is that this operation exists as described.
    pub fn level(&self) -> Level {
        Provenance::of(self.at.node).map_or(Level::Documented, |provenance| provenance.level)
    }
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "these are the specification's own words")]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

impl Location {
    /// Reads the value of `in`.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "path" => Self::Path,
            "query" => Self::Query,
            "header" => Self::Header,
            "cookie" => Self::Cookie,
            _ => return None,
        })
    }

    /// The value of `in`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }
}

/// One parameter of an operation.
#[derive(Debug, Clone)]
pub struct Parameter<'d> {
    document: &'d Document,
    /// Its name as it is spelled on the wire.
    pub name: &'d str,
    /// Where it travels.
    pub location: Location,
    /// As it stands in the operation: maybe a `$ref` with `x-` siblings.
    pub raw: Located<'d>,
    /// The parameter object.
    pub at: Located<'d>,
}

impl<'d> Parameter<'d> {
    fn read(document: &'d Document, raw: Located<'d>) -> Option<Self> {
        let at = document.resolve_or_none(&raw)?;
        let name = at.node.get("name")?.as_str()?;
        let location = Location::parse(at.node.get("in")?.as_str()?)?;
        Some(Self {
            document,
            name,
            location,
            raw,
            at,
        })
    }

    /// Whether it must be given.
    pub fn required(&self) -> bool {
        self.at
            .node
            .get("required")
            .and_then(Node::as_bool)
            .unwrap_or(false)
    }

    /// Its schema, unresolved; also that of the one media type under `content`.
    pub fn schema(&self) -> Option<Located<'d>> {
        let content = || self.content().into_iter().next()?.schema();
        self.at.get("schema").or_else(content)
    }

    /// The media types under `content`, which stands in place of `schema`.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }

    /// Its `style`, or the default of its place.
    pub fn style(&self) -> &'d str {
        let default = match self.location {
            Location::Path | Location::Header => "simple",
            Location::Query | Location::Cookie => "form",
        };
        self.at
            .node
            .get("style")
            .and_then(Node::as_str)
            .unwrap_or(default)
    }

    /// Its `explode`, or the default of its style.
    pub fn explode(&self) -> bool {
        let default = self.style() == "form";
        self.at
            .node
            .get("explode")
            .and_then(Node::as_bool)
            .unwrap_or(default)
    }

    /// Its examples by key; a single `example` has the key `example`.
    pub fn examples(&self) -> Vec<Example<'d>> {
        examples(self.document, &self.at)
    }
}

/// The request body of an operation.
#[derive(Debug, Clone)]
pub struct RequestBody<'d> {
    document: &'d Document,
    /// The request body object.
    pub at: Located<'d>,
}

impl<'d> RequestBody<'d> {
    /// Whether it must be sent.
    pub fn required(&self) -> bool {
        self.at
            .node
            .get("required")
            .and_then(Node::as_bool)
            .unwrap_or(false)
    }

    /// Its media types in the order of the document.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }
}

/// The key of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// `2XX`: the class's first digit.
    Range(u8),
    /// `default`
    Default,
}

impl Status {
    /// Reads the key of a response.
    pub fn parse(key: &str) -> Option<Self> {
        if !crate::grammar::is_status_key(key) {
            return None;
        }
        Some(match key.strip_suffix("XX") {
            Some(class) => Self::Range(class.parse().ok()?),
            None if key == "default" => Self::Default,
            None => Self::Code(key.parse().ok()?),
        })
    }

    /// Whether a status code falls under this key; everything falls under `default`.
    pub fn covers(self, code: u16) -> bool {
        match self {
            Self::Code(own) => own == code,
            Self::Range(class) => u16::from(class) == code / 100,
            Self::Default => true,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "{code}"),
            Self::Range(class) => write!(f, "{class}XX"),
            Self::Default => f.write_str("default"),
        }
    }
}

/// One documented response of an operation.
#[derive(Debug, Clone)]
pub struct Response<'d> {
    document: &'d Document,
    /// The status it is documented for.
    pub status: Status,
    /// Where its status stands.
    pub key_span: Span,
    /// As it stands in the operation: maybe a `$ref` with `x-` siblings.
    pub raw: Located<'d>,
    /// The response object.
    pub at: Located<'d>,
}

impl<'d> Response<'d> {
    /// Its media types in the order of the document.
    pub fn content(&self) -> Vec<MediaType<'d>> {
        media_types(self.document, &self.at)
    }

    /// Its declared headers: name and header object, resolved.
    pub fn headers(&self) -> Vec<(&'d str, Located<'d>)> {
        let Some(headers) = self.at.get("headers") else {
            return Vec::new();
        };
        let read = |(entry, raw): (&'d Entry, Located<'d>)| {
            Some((entry.key.as_str(), self.document.resolve_or_none(&raw)?))
        };
        headers.entries().filter_map(read).collect()
    }

    /// How sure it is that the operation answers this status: what stands beside the `$ref`, else
    /// in the response, else what holds for the operation.
    pub fn level(&self, operation: &Operation<'_>) -> Level {
        Provenance::of(self.raw.node)
            .or_else(|| Provenance::of(self.at.node))
            .map_or_else(|| operation.level(), |provenance| provenance.level)
    }
}

/// A media type of a body.
#[derive(Debug, Clone)]
pub struct MediaType<'d> {
    document: &'d Document,
    /// Its name, such as `application/json`.
    pub name: &'d str,
    /// The media type object.
    pub at: Located<'d>,
}

impl<'d> MediaType<'d> {
    /// Its schema, unresolved.
    pub fn schema(&self) -> Option<Located<'d>> {
        self.at.get("schema")
    }

    /// Its examples by key; a single `example` has the key `example`.
    pub fn examples(&self) -> Vec<Example<'d>> {
        examples(self.document, &self.at)
    }

    /// Whether it is JSON: `application/json` or a `+json` type.
    pub fn is_json(&self) -> bool {
        is_json(self.name)
    }
}

/// Whether a media type is JSON: `application/json` or a `+json` type, with or without parameters.
pub fn is_json(media_type: &str) -> bool {
    let essence = media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    essence == "application/json" || essence == "text/json" || essence.ends_with("+json")
}

/// A documented example value.
#[derive(Debug, Clone)]
pub struct Example<'d> {
    /// Its key under `examples`, or `example`.
    pub key: &'d str,
    /// Its value.
    pub value: Located<'d>,
    /// The example object with its `x-` fields, where it stands under `examples`.
    pub object: Option<Located<'d>>,
}

fn media_types<'d>(document: &'d Document, owner: &Located<'d>) -> Vec<MediaType<'d>> {
    let Some(content) = owner.get("content") else {
        return Vec::new();
    };
    content
        .entries()
        .map(|(entry, at)| MediaType {
            document,
            name: &entry.key,
            at,
        })
        .collect()
}

fn examples<'d>(document: &'d Document, owner: &Located<'d>) -> Vec<Example<'d>> {
    let mut found = Vec::new();
    if let Some(value) = owner.get("example") {
        found.push(Example {
            key: "example",
            value,
            object: None,
        });
    }
    let Some(examples) = owner.get("examples") else {
        return found;
    };
    for (entry, raw) in examples.entries() {
        let Some(object) = document.resolve_or_none(&raw) else {
            continue;
        };
        if let Some(value) = object.get("value") {
            found.push(Example {
                key: &entry.key,
                value,
                object: Some(object),
            });
        }
    }
    found
}
