//! Facts: typed statements that a document makes about its service, with their sources.
//!
//! For example, a document may say that `cancelOrder` needs the state OPEN. A fact carries the
//! places that it was read from, and how well they support it. [`read()`] collects the facts of a
//! document.
//!
//! This package does no I/O and uses neither clock nor randomness. Begin with `rule.rs`, then
//! `read.rs`.
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
//!   /orders/{id}:
//!     delete:
//!       operationId: removeOrder
//!       parameters:
//!         - {name: id, in: path, required: true, schema: {type: string}}
//!       responses:
//!         '204': {description: Removed.}
//!         '404': {description: No such order.}
//!   /orders:
//!     get:
//!       operationId: listOrders
//!       parameters:
//!         - {name: limit, in: query, schema: {type: integer, default: 20}}
//!       responses: {'200': {description: Some orders.}}
//! ";
//! let document = loader::load_text("api.yaml", text)?;
//! let facts = openapi_facts::read(&document, None);
//! for fact in &facts.list {
//!     println!("{}: {}", fact.id, fact.rule);
//! }
//! assert!(facts.list.iter().any(|fact| fact.rule.to_string().contains("limit")));
//! # Ok::<(), openapi_document::loader::LoadError>(())
//! ```

mod assignment;
mod barring;
mod bound;
mod collection;
mod decimal;
mod duration;
mod entry;
pub mod envelope;
mod evidence;
mod expression;
mod fact;
mod fact_id;
mod flow;
mod form;
mod lexicon;
mod matcher;
mod mention;
mod name;
pub mod pages;
mod part;
mod pattern;
mod place;
mod read;
mod roles;
pub mod rule;
mod source;
mod subject;
mod token;
mod vocabulary;

pub use assignment::Assignment;
pub use bound::Bound;
pub use collection::Facts;
pub use decimal::Decimal;
pub use duration::Duration;
pub use entry::{Entry, Ruling};
pub use evidence::Evidence;
pub use expression::{Expression, Factor, Term};
pub use fact::Fact;
pub use fact_id::FactId;
pub use part::{Part, parts};
pub use read::{read, read_calls, read_operation, read_sentence};
pub use rule::Rule;
pub use source::{Source, fingerprint};
pub use subject::Subject;
pub use vocabulary::{StateField, Vocabulary};
