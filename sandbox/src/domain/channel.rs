//! The capabilities of a payment channel.

use serde::Deserialize;

/// The capabilities of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Channel {
    /// Purchases can be authorized first and captured later.
    pub two_step: bool,
    /// A refund may be smaller than the captured amount.
    pub partial_refund: bool,
    /// A payout waits until the merchant selects one of several offers.
    pub offers: bool,
}
