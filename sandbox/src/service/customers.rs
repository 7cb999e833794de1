//! Customers: add, read, change and remove.

use uuid::Uuid;

use super::{Failure, Service, Work};
use crate::details::CustomerDetails;
use crate::domain::{Code, Rejection};
use crate::store::{
    self, Connection, CustomerRecord, Merchant, StoreError, Tenant, cards, customers,
};

impl Service {
    /// Adds a customer; refused when another customer has the same merchant's id.
    pub async fn add_customer(
        &self,
        merchant: Merchant,
        merchant_customer_id: String,
        details: CustomerDetails,
    ) -> Result<CustomerRecord, Failure> {
        let id = Uuid::now_v7();
        self.command(merchant, move |work| {
            let taken =
                customers::find_for_update(work.connection, work.tenant, &merchant_customer_id)?;
            if taken.is_some() {
                let detail = "another customer has this merchantCustomerId";
                let pointer = "/merchantCustomerId";
                return Err(Rejection::at(Code::AlreadyThere, pointer, detail).into());
            }
            let customer = CustomerRecord {
                id,
                merchant_customer_id: merchant_customer_id.clone(),
                details: details.clone(),
                created_at: work.now,
                updated_at: work.now,
            };
            store::add_customer(work.connection, work.tenant, &customer)?;
            Ok(customer)
        })
        .await
    }

    /// A customer.
    pub async fn customer(
        &self,
        merchant: Merchant,
        merchant_customer_id: String,
    ) -> Result<CustomerRecord, Failure> {
        self.read(merchant, move |work| known(work, &merchant_customer_id))
            .await
    }

    /// Changes a customer; absent fields keep their value.
    pub async fn update_customer(
        &self,
        merchant: Merchant,
        merchant_customer_id: String,
        details: CustomerDetails,
    ) -> Result<CustomerRecord, Failure> {
        self.command(merchant, move |work| {
            let before = locked(work, &merchant_customer_id)?;
            let after = CustomerRecord {
                details: details.clone().or(before.details),
                updated_at: work.now,
                ..before
            };
            customers::update(work.connection, work.tenant, &after)?;
            Ok(after)
        })
        .await
    }

    /// Removes a customer with all saved cards.
    pub async fn remove_customer(
        &self,
        merchant: Merchant,
        merchant_customer_id: String,
    ) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let customer = locked(work, &merchant_customer_id)?;
            cards::remove_all(work.connection, work.tenant, customer.id)?;
            customers::remove(work.connection, work.tenant, customer.id, work.now)?;
            Ok(())
        })
        .await
    }
}

/// The customer of a read request.
pub(super) fn known(work: &Work<'_>, id: &str) -> Result<CustomerRecord, Failure> {
    named(work, id, customers::find)
}

/// The customer of a command, locked so that commands on one customer run one after the other.
pub(super) fn locked(work: &Work<'_>, id: &str) -> Result<CustomerRecord, Failure> {
    named(work, id, customers::find_for_update)
}

fn named(
    work: &Work<'_>,
    id: &str,
    find: fn(&Connection, Tenant, &str) -> Result<Option<CustomerRecord>, StoreError>,
) -> Result<CustomerRecord, Failure> {
    let unknown = || Rejection::unknown("customer").into();
    if id.contains('\0') {
        // A text that the database cannot store is not the id of any customer.
        return Err(unknown());
    }
    find(work.connection, work.tenant, id)?.ok_or_else(unknown)
}

/// Refuses the removal of a record that does not exist.
pub(super) fn removed(was_there: bool, what: &str) -> Result<(), Failure> {
    if was_there {
        Ok(())
    } else {
        Err(Rejection::unknown(what).into())
    }
}
