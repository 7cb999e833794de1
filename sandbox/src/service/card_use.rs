//! The card of a purchase or payout: its outcome, and how it is saved later.

use uuid::Uuid;

use super::cards::shelf;
use super::{Customer, Failure, Service, Work, payment_tokens, saved_cards};
use crate::domain::card::{Card, Issuer};
use crate::domain::expiry::Expiry;
use crate::domain::outcome::Outcome;
use crate::domain::{Code, Rejection, card_token};
use crate::store::cards::{self, Purpose, SavedCard};
use crate::store::presented_cards::PresentedCard;
use crate::store::{self, Merchant, StoreError};

/// The card behind every seeded token: BIN, last four digits, scheme.
const SEEDED: (&str, &str, &str) = ("411111", "1111", "COR_VISA");
/// The last month and year in which it is valid.
const SEEDED_EXPIRY: (&str, &str) = ("12", "2030");

/// The card of a purchase.
#[derive(Clone, Debug, Default)]
pub struct CardUse {
    /// The token of a known card.
    pub token: Option<Uuid>,
    /// The expiry date in the request.
    pub expiry: Option<Expiry>,
    /// The card to save when the purchase is accepted.
    pub left: Option<LeftCard>,
}

/// A card that is saved when its transaction is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftCard {
    /// The id of the saved card, unless the customer has saved the same card before.
    pub id: Uuid,
    /// The payment token that will represent it.
    pub token: Option<Uuid>,
    /// The card.
    pub card: Card,
    /// The keyed hash of its number.
    pub fingerprint: Vec<u8>,
    /// Its display name.
    pub name: String,
}

impl CardUse {
    /// The outcome that the card decides; `None` when it decides nothing.
    pub(super) fn outcome(
        &self,
        work: &Work<'_>,
        customer: &Customer,
    ) -> Result<Option<Outcome>, Failure> {
        let (mut outcome, mut expiry) = (None, self.expiry);
        if let Some(token) = self.token {
            if let Some(seeded) = card_token::outcome(token) {
                outcome = Some(seeded);
            } else {
                let card = payment_tokens::paying(work, token, customer)?.card;
                outcome.clone_from(&card.outcome);
                expiry = expiry.or(card.expiry);
            }
        }
        let expired = expiry.is_some_and(|expiry| expiry.is_past(work.now));
        Ok(if expired {
            Some(Outcome::expired_card())
        } else {
            outcome
        })
    }

    /// The id of the saved card: present, or future if the purchase is accepted.
    pub(super) fn saved_as(
        &self,
        work: &Work<'_>,
        customer: Uuid,
    ) -> Result<Option<Uuid>, Failure> {
        if let Some(left) = &self.left {
            let shelf = shelf(work, customer, Purpose::Payment);
            let known = cards::recognise(work.connection, &shelf, &left.fingerprint)?;
            return Ok(Some(known.map_or(left.id, |card| card.id)));
        }
        let Some(token) = self.token else {
            return Ok(None);
        };
        let found = store::payment_tokens::find(work.connection, work.tenant, token)?;
        Ok(found.map(|token| token.card_id))
    }

    /// Stores the card until its purchase is accepted, if there is a customer to save it for.
    pub(super) fn present(
        &self,
        work: &Work<'_>,
        purchase: Uuid,
        customer: &Customer,
    ) -> Result<(), Failure> {
        match (self.left.clone(), customer.id()) {
            (Some(mut left), Some(customer)) => {
                left.card.expiry = self.expiry.or(left.card.expiry);
                saved_cards::present(work, purchase, &left.of(customer, Purpose::Payment))
            }
            _ => Ok(()),
        }
    }
}

impl LeftCard {
    fn of(self, customer: Uuid, purpose: Purpose) -> PresentedCard {
        PresentedCard {
            customer,
            purpose,
            card: self.card,
            fingerprint: self.fingerprint,
            name: self.name,
            card_id: self.id,
            token: self.token,
        }
    }
}

/// A saved card that receives a payout.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    /// The card.
    pub card: Uuid,
    /// The id of the copy of the card that is saved as paid out to.
    pub left: Uuid,
}

impl Destination {
    /// Stores the card until the payout is accepted; returns the outcome that the card decides.
    pub(super) fn present(
        self,
        work: &Work<'_>,
        payout: Uuid,
        customer: &Customer,
    ) -> Result<Option<Outcome>, Failure> {
        let found = cards::find_destination(work.connection, work.tenant, self.card)?;
        let owned = found.filter(|(card, _)| customer.id() == Some(card.customer));
        let (saved, fingerprint) = owned.ok_or_else(|| {
            let pointer = "/paymentSpecificData/destinationAddress";
            Rejection::at(
                Code::UnknownRecord,
                pointer,
                "no such card of this customer",
            )
        })?;
        let expired = saved.card.has_expired(work.now);
        // A payout has no customer to ask.
        let outcome = saved.card.outcome.clone();
        let outcome = outcome.filter(|outcome| !outcome.needs_customer());
        let left = LeftCard {
            id: self.left,
            token: None,
            card: saved.card,
            fingerprint,
            name: saved.name,
        };
        let presented = left.of(saved.customer, Purpose::Payout);
        saved_cards::present(work, payout, &presented)?;
        Ok(if expired {
            Some(Outcome::expired_card())
        } else {
            outcome
        })
    }
}

impl Service {
    /// The card behind a seeded token, as an accepted purchase saves it.
    pub fn seeded_card(
        &self,
        merchant: Merchant,
        token: Uuid,
        (id, fresh): (Uuid, Uuid),
    ) -> Result<LeftCard, StoreError> {
        let (bin, last4, organization) = SEEDED;
        let card = Card {
            bin: bin.to_owned(),
            last4: last4.to_owned(),
            organization: organization.to_owned(),
            expiry: Expiry::of(SEEDED_EXPIRY.0, SEEDED_EXPIRY.1).ok(),
            issuer: Issuer::of(bin),
            outcome: None,
        };
        let merchant = merchant.0.to_be_bytes();
        let parts: [&[u8]; 3] = [b"token", &merchant, token.as_bytes()];
        Ok(LeftCard {
            id,
            token: Some(fresh),
            name: card.usual_name(),
            fingerprint: self.card_secret().hash(&parts)?.to_vec(),
            card,
        })
    }

    /// A saved card that can receive payouts; `None` when there is none with that id.
    pub async fn destination(
        &self,
        merchant: Merchant,
        card: Uuid,
    ) -> Result<Option<SavedCard>, Failure> {
        self.read(merchant, move |work| {
            let found = cards::find_destination(work.connection, work.tenant, card)?;
            Ok(found.map(|(card, _)| card))
        })
        .await
    }
}
