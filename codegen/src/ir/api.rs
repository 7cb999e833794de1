//! The whole interface.

use super::{Behaviour, Docs, Example, Operation, Server, TypeDef};

/// An interface: its areas with their operations, and the types they exchange.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// `info.title`.
    pub title: String,
    /// The licence of the document as an SPDX expression, where it names one.
    pub license: Option<String>,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub docs: Docs,
    /// Its `servers`.
    pub servers: Vec<Server>,
    /// The areas by tag.
    pub areas: Vec<Area>,
    /// The types; a [`super::TypeId`] is an index here.
    pub types: Vec<TypeDef>,
    /// The ways to authenticate, by name.
    pub schemes: Vec<Scheme>,
    /// The documented example bodies that the types can hold.
    pub examples: Vec<Example>,
    /// The state machines, where the document has behaviour beside it.
    pub behaviour: Option<Behaviour>,
}

impl Api {
    /// All servers with an address of their own, those of operations included, each once.
    pub fn all_servers(&self) -> Vec<&Server> {
        let operations = self.areas.iter().flat_map(|area| &area.operations);
        let own = operations.flat_map(|operation| &operation.servers);
        let mut all: Vec<&Server> = Vec::new();
        for server in self.servers.iter().chain(own) {
            let is_whole = server.url.contains("://") || server.url.starts_with('{');
            if is_whole && !all.iter().any(|known| known.url == server.url) {
                all.push(server);
            }
        }
        all
    }

    /// Whether the service sends anything by itself.
    pub fn sends(&self) -> bool {
        self.areas.iter().any(|area| area.sent)
    }

    /// Whether there is anything that the service serves.
    pub fn serves(&self) -> bool {
        self.areas.iter().any(|area| !area.sent)
    }
}

/// The operations of one tag.
#[derive(Debug, Clone)]
pub struct Area {
    /// The tag; operations without one are in the area `default`.
    pub tag: String,
    /// The tag's description.
    pub docs: Docs,
    /// Whether the service sends the operations, as callbacks or webhooks, instead of serving them.
    pub sent: bool,
    /// The operations by path and method.
    pub operations: Vec<Operation>,
}

/// A security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheme {
    /// Its name under `securitySchemes`.
    pub name: String,
    /// Where a client with a secret gets tokens, if the scheme has that flow.
    pub token_url: Option<String>,
    /// How its credentials travel.
    pub kind: SchemeKind,
}

/// How credentials travel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// As the value of a header.
    Header(String),
    /// As the value of a query parameter.
    Query(String),
    /// As the value of a cookie.
    Cookie(String),
    /// User and password (RFC 7617).
    Basic,
    /// A bearer token (RFC 6750).
    Bearer,
    /// By the certificate of the TLS connection.
    Certificate,
    /// In a way that has no name here.
    Unknown,
}
