//! Who pays or is paid.

use uuid::Uuid;

use super::{Failure, Work};
use crate::details::CustomerDetails;
use crate::domain::Rejection;
use crate::store::{self, CustomerRecord};

/// The customer of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Customer {
    /// None is named.
    Unnamed,
    /// One who is known already.
    Known(Uuid),
    /// One who is introduced by the transaction.
    New {
        /// The id that it gets, which the merchant's own is the same as.
        id: Uuid,
        /// What describes the customer.
        details: CustomerDetails,
    },
}

impl Customer {
    /// Makes sure of a known customer, and keeps a new one.
    pub(super) fn settle(&self, work: &Work<'_>) -> Result<(), Failure> {
        let (connection, tenant) = (work.connection, work.tenant);
        match self {
            Self::Unnamed => Ok(()),
            Self::New { id, details } => {
                let customer = CustomerRecord {
                    id: *id,
                    merchant_customer_id: id.hyphenated().to_string(),
                    details: details.clone(),
                    created_at: work.now,
                    updated_at: work.now,
                };
                Ok(store::add_customer(connection, tenant, &customer)?)
            }
            Self::Known(id) if store::has_customer(connection, tenant, *id)? => Ok(()),
            Self::Known(_) => Err(Rejection::unknown("customer").into()),
        }
    }

    /// Who it is, where anybody is named.
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Unnamed => None,
            Self::Known(id) | Self::New { id, .. } => Some(*id),
        }
    }
}
