//! What records of subscriptions name as the place of their sale.

/// The shop of every merchant.
pub const SHOP: &str = "shop-1";
/// The terminal of every merchant.
pub const TERMINAL: &str = "terminal-1";
