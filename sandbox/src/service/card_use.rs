//! A card that a purchase is paid with, or that a payout goes to.

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

/// The card behind every seeded token: the beginning of its number, the end of it, its scheme.
const SEEDED: (&str, &str, &str) = ("411111", "1111", "COR_VISA");
/// The month and the year until which it is good.
const SEEDED_EXPIRY: (&str, &str) = ("12", "2030");

/// A card that a purchase is paid with.
#[derive(Clone, Debug, Default)]
pub struct CardUse {
    /// The token of a card that is known.
    pub token: Option<Uuid>,
    /// Until when the card is good, as the purchase says.
    pub expiry: Option<Expiry>,
    /// What an accepted purchase leaves with its customer.
    pub left: Option<LeftCard>,
}

/// A card that is saved when its transaction is accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftCard {
    /// The id it gets, unless the customer has saved it before.
    pub id: Uuid,
    /// The token that will stand for it.
    pub token: Option<Uuid>,
    /// The card.
    pub card: Card,
    /// The keyed hash that recognises it.
    pub fingerprint: Vec<u8>,
    /// What it is called.
    pub name: String,
}

impl CardUse {
    /// The outcome that the card alone would have.
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

    /// The saved card that it is, or will be when the purchase is accepted.
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

    /// Keeps the card until its purchase is accepted, where there is somebody to save it for.
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

/// A saved card that a payout goes to.
#[derive(Clone, Copy, Debug)]
pub struct Destination {
    /// The card.
    pub card: Uuid,
    /// The id that the card gets among those that were paid out to.
    pub left: Uuid,
}

impl Destination {
    /// The outcome that the card alone would have; it is kept until the payout is accepted.
    pub(super) fn present(
        self,
        work: &Work<'_>,
        payout: Uuid,
        customer: &Customer,
    ) -> Result<Option<Outcome>, Failure> {
        let found = cards::find_destination(work.connection, work.tenant, self.card)?;
        let own = found.filter(|(card, _)| customer.id() == Some(card.customer));
        let (saved, fingerprint) = own.ok_or_else(|| {
            let pointer = "/paymentSpecificData/destinationAddress";
            Rejection::at(
                Code::UnknownRecord,
                pointer,
                "no such card of this customer",
            )
        })?;
        let expired = saved.card.has_expired(work.now);
        // Nobody is asked about a payout.
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
    /// The card behind a seeded token, as an accepted purchase leaves it.
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

    /// A saved card that can be paid out to, if there is one of that id.
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
