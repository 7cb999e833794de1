//! Turns an `OpenAPI` document into a Rust crate: models, a client and server stubs.
//!
//! Three phases: [`lower::lower`] (document → [`ir`]), [`names::assign`] (every Rust identifier,
//! once), [`emit::emit`] (both → files). Pure: the same document gives the same bytes.
//!
//! It knows no interface in particular, and only `lower` knows the document. Begin with [`generate()`].

pub mod generate;
pub mod ir;
pub mod lower;
pub mod names;

pub mod emit;
mod exchange;
pub mod format;
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
