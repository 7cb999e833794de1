//! Saves the card of a transaction, with a payment token, once the transaction is accepted.

use super::cards::shelf;
use super::{Failure, Work};
use crate::details::CardDetails;
use crate::store::cards::{self, Purpose, SavedCard};
use crate::store::presented_cards::{self, PresentedCard};
use crate::store::{Record, customers, payment_tokens};
use uuid::Uuid;

/// Stores the card of a transaction until it is accepted. Call it before the transaction is
/// written, because that may accept it at once.
pub(super) fn present(
    work: &Work<'_>,
    transaction: Uuid,
    presented: &PresentedCard,
) -> Result<(), Failure> {
    let (connection, tenant) = (work.connection, work.tenant);
    work.presented.set(true);
    Ok(presented_cards::put(
        connection,
        tenant,
        transaction,
        presented,
    )?)
}

/// Saves the card of a transaction that was just accepted.
pub(super) fn accepted(
    work: &Work<'_>,
    before: Option<&Record>,
    after: &Record,
) -> Result<(), Failure> {
    if before.is_none() && !work.presented.get() {
        // A transaction that is accepted on creation has a stored card only if the same command
        // stored it.
        return Ok(());
    }
    let transaction = after.transaction.id;
    let presented = presented_cards::take(work.connection, work.tenant, transaction)?;
    presented.map_or(Ok(()), |presented| save(work, transaction, presented))
}

fn save(work: &Work<'_>, transaction: Uuid, presented: PresentedCard) -> Result<(), Failure> {
    let (connection, tenant) = (work.connection, work.tenant);
    let customer = presented.customer;
    if !customers::lock(connection, tenant, customer)? {
        // The customer was removed meanwhile, so no card is saved.
        return Ok(());
    }
    let shelf = shelf(work, customer, presented.purpose);
    let known = cards::recognise(connection, &shelf, &presented.fingerprint)?;
    let id = known.as_ref().map_or(presented.card_id, |card| card.id);
    if known.is_none() {
        let first_of_all =
            presented.purpose == Purpose::Payment && !cards::any(connection, &shelf)?;
        let card = SavedCard {
            id,
            customer,
            purpose: presented.purpose,
            card: presented.card,
            name: presented.name,
            is_default: first_of_all,
            first_transaction: Some(transaction),
            details: CardDetails::default(),
            created_at: work.now,
            updated_at: work.now,
        };
        cards::add(connection, tenant, &card, &presented.fingerprint)?;
    }
    if let Some(token) = presented.token {
        let names = (token, id, customer);
        payment_tokens::add(connection, tenant, names, transaction, work.now)?;
    }
    Ok(())
}
