//! The fixed shop and terminal of every merchant, for records of subscriptions.

/// The shop of every merchant.
pub const SHOP: &str = "shop-1";
/// The terminal of every merchant.
pub const TERMINAL: &str = "terminal-1";
