//! Document: an `OpenAPI` document as a tree whose nodes know their place in the source.
//!
//! [`loader::load`] reads a file and those it refers to, and bundles them into one [`Document`].
//! [`view`] gives access in the specification's terms. [`schema`] validates values, [`shape`]
//! collects all schemas for one place, and [`references`] finds broken references. [`behaviour`]
//! and [`scenarios`] read the files beside a document.
//!
//! The package knows no style rules, no differences between documents, and no particular interface.
//! Begin with [`node`], then [`view`].
//!
//! # Example
//!
//! ```
//! use openapi_document::loader;
//!
//! let text = "\
//! openapi: 3.1.0
//! info: {title: Orders, version: 1.0.0}
//! paths:
//!   /orders:
//!     get:
//!       operationId: listOrders
//!       responses: {'200': {description: All orders.}}
//! ";
//! let document = loader::load_text("api.yaml", text)?;
//! let operations = document.operations();
//! assert_eq!(operations[0].label(), "listOrders");
//! assert_eq!(document.place(operations[0].at.node.span).to_string(), "api.yaml:6:7");
//! # Ok::<(), openapi_document::loader::LoadError>(())
//! ```

mod ahead;
pub mod behaviour;
mod bundle;
pub mod diagnostic;
pub mod duplicate_key;
pub mod excerpt;
mod files;
pub mod grammar;
mod identifiers;
pub mod json;
mod json_schema;
mod lifted_names;
mod load_error;
pub mod loader;
pub mod node;
pub mod object;
pub mod origin;
mod overlay;
pub mod pointer;
pub mod provenance;
pub mod references;
pub mod repository;
pub mod scenarios;
pub mod schema;
pub mod shape;
pub mod source;
pub mod spelling;
pub mod syntax;
pub mod view;
pub mod yaml;

pub use behaviour::Behaviour;
pub use diagnostic::{Diagnostic, Diagnostics, Fix, Severity};
pub use identifiers::EXTENDED;
pub use json_schema::schema_in_2020_12;
pub use node::{Mapping, Node, Value};
pub use pointer::Pointer;
pub use provenance::{Level, Provenance};
pub use shape::Shape;
pub use source::{Place, SourceMap, Span};
pub use view::Document;
