//! Saved cards of every purpose: save, list, read, change, remove.

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

/// Which card of which customer, and what it is saved for.
#[derive(Clone, Debug)]
pub struct CardName {
    /// The merchant's own id of the customer.
    pub customer: String,
    /// What the card is saved for.
    pub purpose: Purpose,
    /// Its id.
    pub id: Uuid,
}

/// A card to save.
#[expect(missing_debug_implementations, reason = "it holds a card number")]
pub struct Save {
    /// The merchant's own id of the customer.
    pub customer: String,
    /// What for.
    pub purpose: Purpose,
    /// What was said of the card.
    pub entered: Entered,
    /// What the customer calls it.
    pub name: Option<String>,
    /// What describes the card.
    pub details: CardDetails,
}

/// What changes about a saved card; what is absent stays as it is.
#[derive(Clone, Debug, Default)]
pub struct CardChange {
    /// What the customer calls it.
    pub name: Option<String>,
    /// Until when it is good.
    pub expiry: Option<ExpiryChange>,
    /// Whether it is the one that is used when none is named.
    pub is_default: Option<bool>,
    /// What describes it.
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
    /// Saves a card, or brings the one of the same number up to date.
    pub async fn save_card(&self, merchant: Merchant, save: Save) -> Result<SavedCard, Failure> {
        let id = Uuid::now_v7();
        let fingerprint = match &save.entered.number {
            Ok(pan) => self.card_fingerprint(merchant, pan)?,
            // It will be refused.
            Err(_) => [0; 32],
        };
        let taken = self.taken_cards();
        self.command(merchant, move |work| {
            let card = save.entered.check(taken, work.now)?;
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

    /// Removes a card of a customer, and the tokens that stand for it.
    pub async fn remove_card(&self, merchant: Merchant, name: CardName) -> Result<(), Failure> {
        self.command(merchant, move |work| {
            let shelf = shelf(work, locked(work, &name.customer)?.id, name.purpose);
            let was_there = cards::remove(work.connection, &shelf, name.id)?;
            removed(was_there, "card")
        })
        .await
    }

    /// The keyed hash by which a card is recognised; that of another merchant is another one.
    pub fn card_fingerprint(&self, merchant: Merchant, pan: &Pan) -> Result<[u8; 32], StoreError> {
        let merchant = merchant.0.to_be_bytes();
        self.card_secret()
            .hash(&[b"number", &merchant, pan.expose().as_bytes()])
    }
}

/// A card that has been checked, to be kept for a customer.
pub(super) struct Keep<'a> {
    pub(super) id: Uuid,
    pub(super) customer: Uuid,
    pub(super) purpose: Purpose,
    pub(super) card: Card,
    pub(super) fingerprint: &'a [u8],
    /// The usual one when absent.
    pub(super) name: Option<String>,
    pub(super) details: CardDetails,
}

impl Keep<'_> {
    /// Keeps it, in place of what was known of the same number. Of a payout profile, what is not given stays as it was.
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
