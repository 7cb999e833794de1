//! The client side.

pub(crate) mod by_hand;
pub(crate) mod generated;

/// The key that is sent; the server ignores it.
const KEY: &str = "bench-key";
/// The transaction that is read.
const TRANSACTION: &str = "18603c2b-521a-430d-9bac-4e24ff77422b";
