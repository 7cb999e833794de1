//! Opens pages on which a customer enters a card, so that the merchant never sees its number.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::cards::Keep;
use super::customers::locked;
use super::{Failure, Service, random};
use crate::details::{CardDetails, CardEntryDetails};
use crate::domain::Rejection;
use crate::domain::card::Entered;
use crate::store::card_entries::{self, CardEntry};
use crate::store::cards::Purpose;
use crate::store::{Merchant, StoreError, customers};

/// The path of the pages; the name of a page follows.
pub const PATH: &str = "/payout-card-widget/";
/// How long a page waits for a card.
const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

/// The name of a page. Anyone who knows it can enter one card.
#[derive(Clone, PartialEq, Eq)]
pub struct EntryName {
    /// The merchant of the customer.
    pub merchant: Merchant,
    /// The random part, which cannot be guessed.
    secret: String,
}

/// The text is not the name of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not the name of a page")]
pub struct NoEntry;

impl fmt::Display for EntryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "wt_{}-{}", self.merchant.0, self.secret)
    }
}

impl fmt::Debug for EntryName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("EntryName");
        shown
            .field("merchant", &self.merchant)
            .finish_non_exhaustive()
    }
}

impl FromStr for EntryName {
    type Err = NoEntry;

    fn from_str(text: &str) -> Result<Self, NoEntry> {
        let (number, secret) = { text.strip_prefix("wt_") }
            .and_then(|rest| rest.split_once('-'))
            .ok_or(NoEntry)?;
        Ok(Self {
            merchant: Merchant(number.parse().map_err(|_| NoEntry)?),
            secret: secret.to_owned(),
        })
    }
}

impl Service {
    /// Opens a page for one card of a customer; returns its name and its expiry.
    pub async fn open_card_entry(
        &self,
        merchant: Merchant,
        customer: String,
        details: CardEntryDetails,
    ) -> Result<(EntryName, Timestamp), Failure> {
        let secret = URL_SAFE_NO_PAD.encode(random());
        let name = EntryName { merchant, secret };
        let hash = self.entry_hash(&name)?;
        let expires_at = self
            .command(merchant, move |work| {
                let entry = CardEntry {
                    customer: locked(work, &customer)?.id,
                    details: details.clone(),
                    expires_at: work.now + LIFETIME,
                };
                card_entries::add(work.connection, work.tenant, &hash, &entry)?;
                Ok(entry.expires_at)
            })
            .await?;
        Ok((name, expires_at))
    }

    /// A page that waits for a card.
    pub async fn card_entry(&self, name: EntryName) -> Result<CardEntry, Failure> {
        self.known(name.merchant).await?;
        let hash = self.entry_hash(&name)?;
        self.read(name.merchant, move |work| {
            let found = card_entries::find(work.connection, work.tenant, &hash, work.now)?;
            found.ok_or_else(|| Rejection::unknown("page").into())
        })
        .await
    }

    /// Saves the card that was entered on a page, and closes the page.
    pub async fn enter_card(
        &self,
        name: EntryName,
        entered: Entered,
    ) -> Result<CardEntry, Failure> {
        self.known(name.merchant).await?;
        let (id, hash) = (Uuid::now_v7(), self.entry_hash(&name)?);
        let fingerprint = match &entered.number {
            Ok(pan) => self.card_fingerprint(name.merchant, pan)?,
            // The fingerprint is irrelevant, because the card is refused.
            Err(_) => [0; 32],
        };
        let accepted = self.accepted_cards();
        self.command(name.merchant, move |work| {
            let (connection, tenant) = (work.connection, work.tenant);
            let entry = card_entries::take(connection, tenant, &hash, work.now)?;
            let entry = entry.ok_or_else(|| Rejection::unknown("page"))?;
            let card = entered.check(accepted, work.now)?;
            if !customers::lock(connection, tenant, entry.customer)? {
                return Err(Rejection::unknown("customer").into());
            }
            let keep = Keep {
                id,
                customer: entry.customer,
                purpose: Purpose::PayoutProfile,
                name: None,
                card,
                fingerprint: &fingerprint,
                details: CardDetails::default(),
            };
            keep.keep(work)?;
            Ok(entry)
        })
        .await
    }

    fn entry_hash(&self, name: &EntryName) -> Result<[u8; 32], StoreError> {
        self.card_secret().hash(&[b"entry", name.secret.as_bytes()])
    }
}
