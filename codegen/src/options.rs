//! What is asked of the generator.

use openapi_document::Behaviour;

/// What is generated, and how it is called.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The name of the package.
    pub crate_name: String,
    /// Whether the manifest is generated, too, for a crate that stands alone.
    pub complete_crate: bool,
    /// Whether `tests/suite/round_trips.rs` is generated.
    pub round_trips: bool,
    /// The command that the first line of each file names; `cargo xtask generate` where it is empty.
    pub command: String,
    /// What the first line of each file says it was generated from, such as `spec/openapi.yaml`.
    pub source_label: String,
    /// The behaviour that stands beside the document, clean by the rules on it.
    pub behaviour: Option<Behaviour>,
    /// Whether types take and keep every value that their schemas allow by the letter: those of a
    /// schema without `type`, whatever their type, and properties that an object does not declare.
    pub exact: bool,
}
