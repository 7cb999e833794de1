//! The reference implementation of the merchant payments interface.

pub mod clock;
pub mod domain;
pub mod service;
pub mod store;
