//! The reference implementation of the merchant payments interface.
//!
//! From the inside out:
//!
//! - [`domain`] decides, and knows neither HTTP nor SQL.
//! - [`details`] are descriptive fields.
//! - [`store`] stores records.
//! - [`render`] converts records to models of the contract.
//! - [`egress`] sends requests.
//! - [`service`] loads, decides and writes.
//! - [`routes`] implements the generated traits.
//! - [`http`] adds credentials, request ids, limits and errors.
//!
//! The runner is not a dependency. Begin with `routes/plans.rs`, and follow one method down to
//! [`store`].

pub mod details;
pub mod domain;
pub mod egress;
pub mod store;

pub mod clock;
pub mod contract;
pub mod exchanges;
pub mod faults;
pub mod instruments;
pub mod metrics;
pub mod render;
pub mod service;

pub mod http;
pub mod routes;
pub mod test_data;
pub mod triggers;

pub mod admin;
pub mod pages;

pub mod arguments;
pub mod dispatcher;
pub mod log;
pub mod remote;
mod sandbox;
pub mod seed;
mod spawn;

pub use sandbox::{Sandbox, Settings};
pub use spawn::{SpawnError, Spawned};
