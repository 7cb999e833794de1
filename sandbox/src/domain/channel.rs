//! What a payment channel can do.

/// The capabilities of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Authorization and capture can be two steps.
    pub two_step: bool,
    /// A refund may give back less than was taken.
    pub partial_refund: bool,
    /// A payout waits for the merchant to take one of several offers.
    pub offers: bool,
}

const CARD: Channel = Channel {
    two_step: true,
    partial_refund: true,
    offers: false,
};
const CRYPTO: Channel = Channel {
    two_step: false,
    partial_refund: false,
    offers: true,
};

impl Channel {
    /// The channel of that name.
    ///
    /// The set of names is open, so an unknown one behaves like the card channel.
    pub fn of(name: Option<&str>) -> Self {
        match name {
            Some("PCL_CRYPTO") => CRYPTO,
            _ => CARD,
        }
    }
}
