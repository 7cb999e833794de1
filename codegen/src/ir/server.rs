//! Where an interface is served.

use super::Docs;

/// One of the `servers` of a document, a path or an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Its address, in which `{name}` stands for a variable.
    pub url: String,
    /// What is said about it.
    pub docs: Docs,
    /// Its variables, by name.
    pub variables: Vec<ServerVariable>,
}

/// A part of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerVariable {
    /// Its name.
    pub name: String,
    /// What it is where nothing else is said.
    pub default: String,
    /// All that it can be; empty where it can be anything.
    pub values: Vec<String>,
    /// What is said about it.
    pub docs: Docs,
}

impl Server {
    /// The address with what each variable is by default.
    pub fn by_default(&self) -> String {
        self.variables
            .iter()
            .fold(self.url.clone(), |url, variable| {
                url.replace(&format!("{{{}}}", variable.name), &variable.default)
            })
    }
}
