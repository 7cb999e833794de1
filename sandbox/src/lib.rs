//! The reference implementation of the merchant payments interface.

pub mod domain;
pub mod store;
