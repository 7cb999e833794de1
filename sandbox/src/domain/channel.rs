//! What a payment channel can do.

use serde::Deserialize;

/// The capabilities of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Channel {
    /// Authorization and capture can be two steps.
    pub two_step: bool,
    /// A refund may give back less than was taken.
    pub partial_refund: bool,
    /// A payout waits for the merchant to take one of several offers.
    pub offers: bool,
}
