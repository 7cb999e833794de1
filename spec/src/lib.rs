//! Loads, bundles, resolves and lints `OpenAPI` documents, keeping a source position for every node.
//!
//! The phases, each one function in a file of its name: [`loader::load`] (files → one bundled
//! [`Document`]) → [`lint::lint`] (rules) → [`diff::compare`] (two documents). What every phase works on
//! is the [`Node`] tree.

mod ahead;
pub mod behaviour;
mod bundle;
pub mod diagnostic;
pub mod diff;
pub mod document;
pub mod excerpt;
pub mod grammar;
pub mod json;
mod json_schema;
pub mod lint;
pub mod loader;
pub mod node;
pub mod origin;
pub mod pointer;
pub mod provenance;
pub mod repository;
pub mod scenarios;
pub mod schema;
pub mod source;
pub mod syntax;
pub mod yaml;

pub use behaviour::Behaviour;
pub use diagnostic::{Diagnostic, Diagnostics, Fix, Severity};
pub use document::Document;
pub use node::{Mapping, Node, Value};
pub use pointer::Pointer;
pub use provenance::{Level, Provenance};
pub use source::{Place, SourceMap, Span};
