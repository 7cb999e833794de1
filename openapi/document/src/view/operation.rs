//! Operation: a path with a method.

use super::{Document, Located, Method, Parameter, RequestBody, Response, Status};
use crate::node::{Entry, Node};
use crate::provenance::{Level, Provenance};

/// One operation: a path with a method.
#[derive(Debug, Clone)]
pub struct Operation<'d> {
    pub(super) document: &'d Document,
    /// The path template.
    pub path: &'d str,
    /// The method.
    pub method: Method,
    /// The path item that contains it.
    pub item: Located<'d>,
    /// The operation object.
    pub at: Located<'d>,
}

impl<'d> Operation<'d> {
    /// The document that contains it.
    pub fn document(&self) -> &'d Document {
        self.document
    }

    /// Its `operationId`.
    pub fn id(&self) -> Option<&'d str> {
        self.at.node.get("operationId")?.as_str()
    }

    /// Its `operationId`, or `POST /path` if it has none.
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

    /// Its parameters, with references followed. Those of the path item come first, unless the
    /// operation overrides them by name and location. Broken references are skipped; lint reports
    /// them.
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

    /// Its request body, with references followed.
    pub fn request_body(&self) -> Option<RequestBody<'d>> {
        let raw = self.at.get("requestBody")?;
        let at = self.document.resolve_or_none(&raw)?;
        Some(RequestBody {
            document: self.document,
            at,
        })
    }

    /// Its responses, with references followed, in document order.
    pub fn responses(&self) -> Vec<Response<'d>> {
        let Some(responses) = self.at.get("responses") else {
            return Vec::new();
        };
        let read = |(entry, raw)| self.read_response(entry, raw);
        responses.entries().filter_map(read).collect()
    }

    /// Its path without a slash at the end, which some frameworks put there.
    pub fn stem(&self) -> &'d str {
        self.path.trim_end_matches('/')
    }

    /// Whether it requires credentials: it has security requirements, and none of them is empty.
    pub fn requires_credentials(&self) -> bool {
        let alternatives = self.security();
        !alternatives.is_empty() && !alternatives.iter().any(Vec::is_empty)
    }

    /// Whether it has a response for exactly this status code.
    pub fn documents(&self, code: u16) -> bool {
        let mut responses = self.responses().into_iter();
        responses.any(|response| response.status == Status::Code(code))
    }

    /// The response for a status code, with references followed. An exact status wins over a range,
    /// and a range over `default`.
    pub fn response(&self, code: u16) -> Option<Response<'d>> {
        let responses = self.at.get("responses")?;
        let exactness = |entry: &Entry| match Status::parse(&entry.key)? {
            status if !status.covers(code) => None,
            Status::Code(_) => Some(0),
            Status::Range(_) => Some(1),
            Status::Default => Some(2),
        };
        let mut covering: Vec<_> = responses
            .entries()
            .filter_map(|(entry, raw)| Some((exactness(entry)?, entry, raw)))
            .collect();
        covering.sort_by_key(|(exactness, ..)| *exactness);
        let mut covering = covering.into_iter();
        covering.find_map(|(_, entry, raw)| self.read_response(entry, raw))
    }

    fn read_response(&self, entry: &'d Entry, raw: Located<'d>) -> Option<Response<'d>> {
        let status = Status::parse(&entry.key)?;
        let at = self.document.resolve_or_none(&raw)?;
        Some(Response {
            document: self.document,
            status,
            key_span: entry.key_span,
            raw,
            at,
        })
    }

    /// The alternatives of its security requirement, each a list of schemes with scopes. No
    /// alternatives, or an empty one, mean that no credentials are needed.
    pub fn security(&self) -> Vec<Vec<(&'d str, Vec<&'d str>)>> {
        let stated = self.at.node.get("security");
        let Some(requirements) = stated.or_else(|| self.document.root.get("security")) else {
            return Vec::new();
        };
        let schemes = |requirement: &'d Node| {
            let scheme = |entry: &'d Entry| (entry.key.as_str(), entry.value.strings().collect());
            requirement.entries().map(scheme).collect()
        };
        requirements.items().map(schemes).collect()
    }

    /// The provenance level of the operation; `documented` if not stated.
    pub fn level(&self) -> Level {
        Provenance::of(self.at.node).map_or(Level::Documented, |provenance| provenance.level)
    }
}
