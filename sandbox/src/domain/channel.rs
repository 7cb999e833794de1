//! What a payment channel can do.

use serde::Deserialize;

use super::catalogue::Catalogue;

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

/// A channel that the catalogue does not have: the set of names is open.
const UNLISTED: Channel = Channel {
    two_step: true,
    partial_refund: true,
    offers: false,
};

impl Channel {
    /// The channel of that name, as the catalogue has it.
    pub fn of(name: Option<&str>) -> Self {
        name.and_then(|name| Catalogue::seeded().channel(name))
            .map_or(UNLISTED, |channel| channel.capabilities)
    }
}
