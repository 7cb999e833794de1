//! Saved cards in transactions: resolves tokens, and prepares the card that an accepted transaction
//! saves.

use merchant_payments::models::{PayoutRequest, PurchaseRequest};
use merchant_payments::runtime::Uuid;
use merchant_payments::server::Context;

use super::Operations;
use crate::details::{CardInfo, TransactionDetails};
use crate::domain::card::{Card, Issuer};
use crate::domain::pan::Pan;
use crate::domain::scheme::Schemes;
use crate::domain::{Code, Rejection, card_token};
use crate::service::Failure;
use crate::service::card_use::{Destination, LeftCard};

/// The channel on which a destination can be a saved card.
const CARDS: &str = "PCL_CARD";

/// The card of a purchase.
#[derive(Debug, Default)]
pub(super) struct Paying {
    /// The card to save when the purchase is accepted.
    pub(super) left: Option<LeftCard>,
    token: Option<Uuid>,
    info: Option<CardInfo>,
}

impl Paying {
    /// Adds the card to the details.
    pub(super) fn describe(&self, details: &mut TransactionDetails) {
        details.payment_token = self.token;
        if self.info.is_some() {
            details.card_info.clone_from(&self.info);
        }
    }
}

impl Operations {
    /// The card of a purchase. The request may omit the customer, who is then the owner of the
    /// card.
    pub(super) async fn paying(
        &self,
        context: &Context,
        body: &mut PurchaseRequest,
    ) -> Result<Paying, Failure> {
        let data = body.payment_specific_data.as_ref();
        let Some(token) = data.and_then(|data| data.card_token.as_ref()) else {
            return Ok(Paying::default());
        };
        let (token, merchant) = (*token.expose(), Self::merchant(context)?);
        if card_token::outcome(token.into()).is_some() {
            if body.customer.is_none() {
                return Ok(Paying::default());
            }
            let (id, fresh) = (uuid::Uuid::now_v7(), uuid::Uuid::new_v4());
            let names = (id, fresh);
            let left = self.service.seeded_card(merchant, token.into(), names)?;
            return Ok(Paying {
                left: Some(left),
                token: Some(fresh.into()),
                info: None,
            });
        }
        // If there is no such token, the command refuses it, unless the request is a repeated one.
        let found = self.service.paying_token(merchant, token.into()).await?;
        Ok(found.map_or_else(Paying::default, |found| {
            let customer = body.customer.get_or_insert_default();
            customer.id.get_or_insert(found.customer.into());
            Paying {
                left: None,
                token: Some(token),
                info: Some(info(&found.card, Some(token))),
            }
        }))
    }

    /// The saved card that receives a payout, and its description. The request may omit the
    /// customer, who is then the owner of the card.
    pub(super) async fn destination(
        &self,
        context: &Context,
        body: &mut PayoutRequest,
    ) -> Result<(Option<Destination>, Option<CardInfo>), Failure> {
        let address = body.payment_specific_data.destination_address.as_deref();
        let Some(address) = address else {
            return Ok((None, None));
        };
        check_destination(address)?;
        let card = Uuid::new(address).ok();
        let Some(card) = card.filter(|_| body.payment_channel.as_str() == CARDS) else {
            return Ok((None, None));
        };
        let merchant = Self::merchant(context)?;
        let found = self.service.destination(merchant, card.into()).await?;
        let destination = Destination {
            card: card.into(),
            left: uuid::Uuid::now_v7(),
        };
        let info = found.map(|found| {
            body.customer.id.get_or_insert(found.customer.into());
            info(&found.card, None)
        });
        Ok((Some(destination), info))
    }
}

/// Refuses a card number as a destination, because destinations are stored and shown.
pub(super) fn check_destination(address: &str) -> Result<(), Rejection> {
    let pan = Pan::parse(address).ok();
    let scheme = pan.and_then(|pan| Schemes::seeded().of(&pan).map(|_| ()));
    scheme.map_or(Ok(()), |()| {
        let pointer = "/paymentSpecificData/destinationAddress";
        let detail = "is the number of a card; the id of a saved card is taken instead";
        Err(Rejection::at(Code::ContractViolation, pointer, detail))
    })
}

/// The description of a card in a transaction.
fn info(card: &Card, token: Option<Uuid>) -> CardInfo {
    let issuer = card.issuer.as_ref();
    let scheme = Schemes::seeded().named(&card.organization);
    CardInfo {
        bank: issuer.map(|issuer| issuer.bank.clone()),
        organization: Some(card.organization.clone()),
        organization_brand: scheme.map(|scheme| scheme.brand.clone()),
        country: issuer.map(|issuer| issuer.country.clone()),
        token: token.map(Into::into),
        r#type: issuer.map(|issuer| issuer.kind.clone()),
        last_four_digits: card.last4.parse().ok(),
        bin: card.bin.parse().ok(),
        expiration_date: card.expiry.map(|expiry| expiry.last_moment().into()),
        eea: issuer.map(Issuer::is_in_eea),
        commercial: issuer.map(|issuer| issuer.commercial),
        ..CardInfo::default()
    }
}
