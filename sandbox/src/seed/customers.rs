//! The initial customer of a merchant, for the contract's examples.

use jiff::Timestamp;
use uuid::Uuid;

use crate::details::CustomerDetails;
use crate::store::{self, Connection, CustomerRecord, StoreError, Tenant};

/// The customer's id.
const ID: Uuid = Uuid::from_u128(0x4e7b_8c22_1f3d_4b97_8b60_7e8b_2a1f_3c74);
/// The merchant's id of the customer.
const MERCHANT_CUSTOMER_ID: &str = "shopper-42";
const NAME: (&str, &str) = ("Sample", "Customer");

/// Adds the customer.
pub(super) fn add(
    connection: &Connection,
    tenant: Tenant,
    now: Timestamp,
) -> Result<(), StoreError> {
    let customer = CustomerRecord {
        id: ID,
        merchant_customer_id: MERCHANT_CUSTOMER_ID.to_owned(),
        details: CustomerDetails {
            first_name: Some(NAME.0.to_owned()),
            last_name: Some(NAME.1.to_owned()),
            ..CustomerDetails::default()
        },
        created_at: now,
        updated_at: now,
    };
    store::add_customer(connection, tenant, &customer)
}
