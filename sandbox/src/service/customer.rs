//! Who pays or is paid.

use rusqlite::Connection;
use uuid::Uuid;

use super::Failure;
use crate::domain::Rejection;
use crate::store::{self, Tenant};

/// The customer of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Customer {
    /// None is named.
    Unnamed,
    /// One who is known already.
    Known(Uuid),
    /// One who gets this id.
    New(Uuid),
}

impl Customer {
    /// Makes sure of a known customer, and keeps a new one.
    pub(super) fn settle(self, connection: &Connection, tenant: Tenant) -> Result<(), Failure> {
        match self {
            Self::Unnamed => Ok(()),
            Self::New(id) => Ok(store::add_customer(connection, tenant, id)?),
            Self::Known(id) if store::has_customer(connection, tenant, id)? => Ok(()),
            Self::Known(_) => Err(Rejection::unknown("customer").into()),
        }
    }
}
