//! The reference implementation of the merchant payments interface.
//!
//! From the inside out: [`domain`] decides and knows neither HTTP nor SQL; [`store`] keeps;
//! [`service`] loads, decides and writes; [`routes`] implements the generated traits; [`http`]
//! surrounds them with credentials, request ids, limits and errors of one form.

pub mod domain;
pub mod store;

pub mod clock;
pub mod service;

pub mod http;
pub mod routes;

pub mod arguments;
mod sandbox;
pub mod seed;

pub use sandbox::Sandbox;
