//! The customer of a transaction: unnamed, known or new.

use uuid::Uuid;

use super::{Failure, Work};
use crate::details::CustomerDetails;
use crate::domain::Rejection;
use crate::store::{self, CustomerRecord};

/// The customer of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Customer {
    /// The request names no customer.
    Unnamed,
    /// An existing customer.
    Known(Uuid),
    /// A customer whom the transaction creates.
    New {
        /// The id of the new customer, which is also the merchant's id.
        id: Uuid,
        /// Descriptive fields.
        details: CustomerDetails,
    },
}

impl Customer {
    /// Checks that a known customer exists, or adds a new one.
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

    /// The customer's id; `None` when the request names no customer.
    pub fn id(&self) -> Option<Uuid> {
        match self {
            Self::Unnamed => None,
            Self::Known(id) | Self::New { id, .. } => Some(*id),
        }
    }
}
