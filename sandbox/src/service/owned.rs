//! Adds the merchant's name, which some answers show, to a record.

use super::{Failure, Work};
use crate::store::tenants;

/// A record with its merchant's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned<T> {
    /// The merchant's name.
    pub merchant: String,
    /// The record.
    pub record: T,
}

impl<T> Owned<T> {
    pub(super) fn new(work: &Work<'_>, record: T) -> Result<Self, Failure> {
        let merchant = tenants::name(work.connection, work.merchant)?;
        Ok(Self { merchant, record })
    }
}
