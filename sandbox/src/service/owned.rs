//! Records with the name of the merchant whose they are, which their answers show.

use super::{Failure, Work};
use crate::store::tenants;

/// Something of a merchant's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned<T> {
    /// The merchant's name.
    pub merchant: String,
    /// What it is.
    pub record: T,
}

impl<T> Owned<T> {
    pub(super) fn new(work: &Work<'_>, record: T) -> Result<Self, Failure> {
        let merchant = tenants::name(work.connection, work.merchant)?;
        Ok(Self { merchant, record })
    }
}
