//! What is asked of the generator.

use openapi_document::Behaviour;

/// What is generated, and how it is called.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The name of the package.
    pub crate_name: String,
    /// Whether to generate the manifest, too, for a standalone crate.
    pub complete_crate: bool,
    /// Whether `tests/suite/round_trips.rs` is generated.
    pub round_trips: bool,
    /// The command that the first line of each file names; `cargo xtask generate` when empty.
    pub command: String,
    /// What the first line of each file says it was generated from, such as `spec/openapi.yaml`.
    pub source_label: String,
    /// The behaviour file of the document, which breaks none of the rules on behaviour.
    pub behaviour: Option<Behaviour>,
    /// Whether types take and keep every value that their schemas allow by the letter: those of a
    /// schema without `type`, whatever their type, and properties that an object does not declare.
    pub exact: bool,
    /// The side that the crate is of; both where there is none.
    pub only: Option<Side>,
    /// How the crate comes by its runtime.
    pub runtime: Runtime,
}

/// A side of an exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// A typed client.
    Client,
    /// Stubs of a server.
    Server,
}

/// How a crate comes by its runtime.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Runtime {
    /// It has a copy of what it needs.
    #[default]
    Copied,
    /// It depends on the package `openapi-generate-runtime`: the published one, or that of a folder.
    Package(Option<String>),
}
