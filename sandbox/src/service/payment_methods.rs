//! Payment methods: enforces the catalogue, and finds the method that a customer used last.

use uuid::Uuid;

use super::{Failure, Service, Work};
use crate::domain::acceptance::{self, Pointers};
use crate::domain::catalogue::Catalogue;
use crate::domain::quote::Candidate;
use crate::domain::{Code, Rejection};
use crate::store::{Merchant, Record, channels_used, customers, tenants};

/// The ids by which a request names a customer.
#[derive(Clone, Debug, Default)]
pub struct Named {
    /// The service's id.
    pub id: Option<Uuid>,
    /// The merchant's id.
    pub merchant_customer_id: Option<String>,
}

/// Refuses an order that the catalogue does not accept, unless the merchant turned the check off.
pub(super) fn check(
    work: &Work<'_>,
    candidate: &Candidate<'_>,
    pointers: Pointers,
) -> Result<(), Failure> {
    if work.catalogue_binds {
        acceptance::check(Catalogue::seeded(), candidate, pointers)?;
    }
    Ok(())
}

impl Service {
    /// Whether orders that the catalogue does not accept are refused.
    pub async fn catalogue_binds(&self, merchant: Merchant) -> Result<bool, Failure> {
        self.read(merchant, |work| Ok(work.catalogue_binds)).await
    }

    /// Sets whether orders that the catalogue does not accept are refused.
    pub async fn bind_catalogue(&self, merchant: Merchant, binds: bool) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            Ok(tenants::bind_catalogue(
                work.connection,
                work.merchant,
                binds,
            )?)
        })
        .await
    }

    /// The channel of the customer's last accepted transaction, of one type or of any.
    ///
    /// `None` for an unknown customer.
    pub async fn last_used(
        &self,
        merchant: Merchant,
        named: Named,
        kind: Option<String>,
    ) -> Result<Option<String>, Failure> {
        if named.id.is_none() && named.merchant_customer_id.is_none() {
            return Ok(None);
        }
        self.read(merchant, move |work| {
            let Some(customer) = named.find(work)? else {
                return Ok(None);
            };
            let kind = kind.as_deref();
            Ok(channels_used::last(
                work.connection,
                work.tenant,
                customer,
                kind,
            )?)
        })
        .await
    }
}

impl Named {
    fn find(&self, work: &Work<'_>) -> Result<Option<Uuid>, Failure> {
        let key = self.merchant_customer_id.as_deref();
        let known = key.map(|key| customers::find(work.connection, work.tenant, key));
        let known = known.transpose()?.flatten().map(|customer| customer.id);
        if let (Some(id), Some(known)) = (self.id, known)
            && id != known
        {
            let pointer = "/header/external-customer-id";
            let detail = "belongs to another customer than customer-id";
            return Err(Rejection::at(Code::ContractViolation, pointer, detail).into());
        }
        Ok(self.id.or(known))
    }
}

/// Stores the channel that the customer of an accepted transaction used.
pub(super) fn accepted(work: &Work<'_>, after: &Record) -> Result<(), Failure> {
    let transaction = &after.transaction;
    let customer = after.details.customer.as_ref();
    let customer = customer.and_then(|customer| customer.id).map(Uuid::from);
    if let (Some(customer), Some(channel)) = (customer, &transaction.payment_channel) {
        let used = (transaction.kind, channel.as_str());
        channels_used::keep(work.connection, work.tenant, customer, used, work.now)?;
    }
    Ok(())
}
