//! A merchant's present records, clock and settings.

use jiff::SignedDuration;

use super::Tenant;

/// A merchant's present records, clock and settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// The tenant of the present records.
    pub tenant: Tenant,
    /// How far the merchant's clock is ahead of the machine's clock.
    pub ahead: SignedDuration,
    /// Whether the script of outcomes may have lines.
    pub scripted: bool,
    /// Whether orders that the catalogue does not accept are refused.
    pub catalogue_binds: bool,
}
