//! The customer that a merchant starts with, for examples that need one.

use jiff::Timestamp;
use uuid::Uuid;

use crate::store::{self, Connection, CustomerRecord, StoreError, Tenant};

/// The customer's id.
const ID: Uuid = Uuid::from_u128(0x4e7b_8c22_1f3d_4b97_8b60_7e8b_2a1f_3c74);
/// The merchant's own id of the customer.
const MERCHANT_CUSTOMER_ID: &str = "shopper-42";
const DETAILS: &str = r#"{"firstName": "Sample", "lastName": "Customer"}"#;

/// Adds the customer.
pub(super) fn add(
    connection: &Connection,
    tenant: Tenant,
    now: Timestamp,
) -> Result<(), StoreError> {
    let customer = CustomerRecord {
        id: ID,
        merchant_customer_id: MERCHANT_CUSTOMER_ID.to_owned(),
        details: DETAILS.to_owned(),
        created_at: now,
        updated_at: now,
    };
    store::add_customer(connection, tenant, &customer)
}
