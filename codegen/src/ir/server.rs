//! Where an interface is served.

use super::Docs;

/// One of the `servers` of a document, a path or an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its address, in which `{name}` stands for a variable.
    pub url: String,
    /// Its documentation.
    pub docs: Docs,
    /// Its variables, by name.
    pub variables: Vec<ServerVariable>,
}

/// A variable part of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVariable {
    /// Its name.
    pub name: String,
    /// Its default value.
    pub default: String,
    /// Its allowed values; empty when any value is allowed.
    pub values: Vec<String>,
    /// Its documentation.
    pub docs: Docs,
}

impl Server {
    /// The address with the default value of each variable.
    pub fn by_default(&self) -> String {
        self.variables
            .iter()
            .fold(self.url.clone(), |url, variable| {
                url.replace(&format!("{{{}}}", variable.name), &variable.default)
            })
    }
}
