//! The present of a merchant: which records are theirs, and what their clock shows.

use jiff::SignedDuration;

use super::Tenant;

/// A merchant's present records and clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// Whose rows they are.
    pub tenant: Tenant,
    /// How far the clock is ahead of the machine's.
    pub ahead: SignedDuration,
    /// Whether there may be something in the script of outcomes.
    pub scripted: bool,
    /// Whether orders that the payment methods do not take are refused.
    pub catalogue_binds: bool,
}
