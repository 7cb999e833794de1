//! Turns an `OpenAPI` document into a Rust crate: models, a client and server stubs.
//!
//! Three phases: [`lower::lower`] (document → [`ir`]), [`names::assign`] (every Rust identifier,
//! once), [`emit::emit`] (both → files). Pure: the same document gives the same bytes.
//!
//! It knows no interface in particular, and only `lower` knows the document. Begin with [`generate()`].
//!
//! # Example
//!
//! ```
//! use codegen::{Options, generate};
//! use openapi_document::loader;
//!
//! let text = "\
//! openapi: 3.1.0
//! info: {title: Orders, version: 1.0.0}
//! paths:
//!   /orders:
//!     get:
//!       operationId: listOrders
//!       tags: [orders]
//!       responses: {'200': {description: All orders.}}
//! ";
//! let document = loader::load_text("api.yaml", text).map_err(|error| format!("{error:?}"))?;
//! let options = Options {
//!     crate_name: "orders".to_owned(),
//!     complete_crate: true,
//!     ..Options::default()
//! };
//! let output = generate(&document, &options).map_err(|errors| format!("{errors:?}"))?;
//! assert!(output.files.iter().any(|file| file.path.ends_with("client/orders.rs")));
//! # Ok::<(), String>(())
//! ```

pub mod generate;
pub mod ir;
pub mod lower;
pub mod names;

pub mod emit;
mod exchange;
pub mod format;
mod matching;
pub mod options;
pub mod output;
pub mod page;
pub mod rules;
mod sample;

pub use format::format;
pub use generate::{Output, generate};
pub use options::{Options, Runtime, Side};
pub use output::{Difference, File, check, write};
pub use page::page;
