//! Saved cards of every purpose: save, list, read, change and remove.

use jiff::Timestamp;
use uuid::Uuid;

use super::customers::{known, locked, removed};
use super::{Failure, Service, Work};
use crate::details::CardDetails;
use crate::domain::Rejection;
use crate::domain::card::{Card, Entered};
use crate::domain::expiry_change::ExpiryChange;
use crate::domain::page::Page;
use crate::domain::pan::Pan;
use crate::store::cards::{self, Purpose, SavedCard, Shelf};
use crate::store::{Merchant, Sorted, StoreError};

/// Identifies a saved card.
#[derive(Clone, Debug)]
pub struct CardName {
    /// The merchant's id of the customer.
    pub customer: String,
    /// The purpose of the card.
    pub purpose: Purpose,
    /// Its id.
    pub id: Uuid,
}

/// A request to save a card.
#[expect(missing_debug_implementations, reason = "it holds a card number")]
pub struct Save {
    /// The merchant's id of the customer.
    pub customer: String,
    /// The purpose of the card.
    pub purpose: Purpose,
    /// The entered details.
    pub entered: Entered,
    /// The display name; a default one when absent.
    pub name: Option<String>,
    /// Descriptive fields.
    pub details: CardDetails,
}

/// A change of a saved card; absent fields keep their value.
#[derive(Clone, Debug, Default)]
pub struct CardChange {
    /// The new display name.
    pub name: Option<String>,
    /// The new expiry date.
    pub expiry: Option<ExpiryChange>,
    /// Whether it becomes the default card.
    pub is_default: Option<bool>,
    /// New descriptive fields.
    pub details: CardDetails,
}

impl CardChange {
    fn apply(&self, card: &mut SavedCard, now: Timestamp) -> Result<(), Rejection> {
        let Self {
            name,
            expiry,
            is_default,
            details,
        } = self.clone();
        if let Some(expiry) = expiry {
            card.card.expiry = Some(expiry.apply(card.card.expiry, now)?);
        }
        if let Some(name) = name {
            card.name = name;
        }
        card.is_default = is_default.unwrap_or(card.is_default);
        card.details = details.or(std::mem::take(&mut card.details));
        card.updated_at = now;
        Ok(())
    }
}

impl Service {
    /// Saves a card, or updates the card with the same number.
    pub async fn save_card(&self, merchant: Merchant, save: Save) -> Result<SavedCard, Failure> {
        let id = Uuid::now_v7();
        let fingerprint = match &save.entered.number {
            Ok(pan) => self.card_fingerprint(merchant, pan)?,
            // The fingerprint is irrelevant, because the card is refused.
            Err(_) => [0; 32],
        };
        let accepted = self.accepted_cards();
        self.command(merchant, move |work| {
            let card = save.entered.check(accepted, work.now)?;
            let customer = locked(work, &save.customer)?.id;
            let keep = Keep {
                id,
                customer,
                purpose: save.purpose,
                fingerprint: &fingerprint,
                name: save.name.clone(),
                card,
                details: save.details.clone(),
            };
            keep.keep(work)
        })
        .await
    }

    /// A page of the cards of a customer.
    pub async fn cards(
        &self,
        merchant: Merchant,
        customer: String,
        purpose: Purpose,
        (page, sorted): (Page, &'static Sorted),
    ) -> Result<Vec<SavedCard>, Failure> {
        self.read(merchant, move |work| {
            let shelf = shelf(work, known(work, &customer)?.id, purpose);
            Ok(cards::list(work.connection, &shelf, &page, sorted)?)
        })
        .await
    }

    /// A card of a customer.
    pub async fn card(&self, merchant: Merchant, name: CardName) -> Result<SavedCard, Failure> {
        self.read(merchant, move |work| {
            let shelf = shelf(work, known(work, &name.customer)?.id, name.purpose);
            found(cards::find(work.connection, &shelf, name.id)?)
        })
        .await
    }

    /// Changes a card of a customer.
    pub async fn update_card(
        &self,
        merchant: Merchant,
        name: CardName,
        change: CardChange,
    ) -> Result<SavedCard, Failure> {
        self.command(merchant, move |work| {
            let shelf = shelf(work, locked(work, &name.customer)?.id, name.purpose);
            let mut card = found(cards::find(work.connection, &shelf, name.id)?)?;
            let was_default = card.is_default;
            change.apply(&mut card, work.now)?;
            if card.is_default && !was_default {
                cards::clear_default(work.connection, &shelf)?;
            }
            cards::update(work.connection, work.tenant, &card)?;
            Ok(card)
        })
        .await
    }

    /// Removes a card of a customer, with the tokens that represent it.
    pub async fn remove_card(&self, merchant: Merchant, name: CardName) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let shelf = shelf(work, locked(work, &name.customer)?.id, name.purpose);
            let was_there = cards::remove(work.connection, &shelf, name.id)?;
            removed(was_there, "card")
        })
        .await
    }

    /// The keyed hash that identifies a card; each merchant has different hashes.
    pub fn card_fingerprint(&self, merchant: Merchant, pan: &Pan) -> Result<[u8; 32], StoreError> {
        let merchant = merchant.0.to_be_bytes();
        self.card_secret()
            .hash(&[b"number", &merchant, pan.expose().as_bytes()])
    }
}

/// A checked card that will be saved for a customer.
pub(super) struct Keep<'a> {
    pub(super) id: Uuid,
    pub(super) customer: Uuid,
    pub(super) purpose: Purpose,
    pub(super) card: Card,
    pub(super) fingerprint: &'a [u8],
    /// The display name; the default one when absent.
    pub(super) name: Option<String>,
    pub(super) details: CardDetails,
}

impl Keep<'_> {
    /// Saves the card, or updates the card with the same number. A payout profile keeps the values
    /// of absent fields.
    pub(super) fn keep(self, work: &Work<'_>) -> Result<SavedCard, Failure> {
        let shelf = shelf(work, self.customer, self.purpose);
        let before = cards::recognise(work.connection, &shelf, self.fingerprint)?;
        let Some(before) = before else {
            let saved = SavedCard {
                id: self.id,
                customer: self.customer,
                purpose: self.purpose,
                name: self.name.unwrap_or_else(|| self.card.usual_name()),
                card: self.card,
                is_default: false,
                first_transaction: None,
                details: self.details,
                created_at: work.now,
                updated_at: work.now,
            };
            cards::add(work.connection, work.tenant, &saved, self.fingerprint)?;
            return Ok(saved);
        };
        let stays = self.purpose == Purpose::PayoutProfile;
        let (name, details) = if stays {
            (before.name, before.details)
        } else {
            (self.card.usual_name(), CardDetails::default())
        };
        let saved = SavedCard {
            name: self.name.unwrap_or(name),
            card: Card {
                expiry: self.card.expiry.or(before.card.expiry.filter(|_| stays)),
                ..self.card
            },
            details: self.details.or(details),
            updated_at: work.now,
            ..before
        };
        cards::update(work.connection, work.tenant, &saved)?;
        Ok(saved)
    }
}

pub(super) fn shelf(work: &Work<'_>, customer: Uuid, purpose: Purpose) -> Shelf {
    Shelf {
        tenant: work.tenant,
        customer,
        purpose,
    }
}

fn found(card: Option<SavedCard>) -> Result<SavedCard, Failure> {
    card.ok_or_else(|| Rejection::unknown("card").into())
}
