//! Cards that accepted transactions have left.

use merchant_payments::models::{
    CardHolder, PaymentCardUpdate, SavedPaymentCard, SavedPaymentCardPage, SavedPayoutCard,
    SavedPayoutCardPage,
};
use merchant_payments::operations::customers::{
    GetSavedPayoutCardParameters, ListPaymentCardsParameters, ListSavedPayoutCardsParameters,
    RemovePaymentCardParameters, RemoveSavedPayoutCardParameters, UpdatePaymentCardParameters,
};
use merchant_payments::runtime::Uuid;
use merchant_payments::server::Context;
use serde::{Deserialize, Serialize};

use super::card::{future, read, text};
use crate::domain::card::Issuer;
use crate::domain::expiry::{Expiry, ExpiryError};
use crate::domain::scheme::Schemes;
use crate::domain::{Code, Rejection, customer};
use crate::routes::Operations;
use crate::routes::page::{meta, page_of};
use crate::service::cards::CardName;
use crate::service::{Failure, Work};
use crate::store::cards::{Purpose, SORTED, SavedCard};

/// Whose token stands for the card: the service's own, not that of a wallet.
const TOKENIZATION: &str = "merchant";

/// What the merchant says of a card.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Description {
    #[serde(skip_serializing_if = "Option::is_none")]
    card_holder_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    card_holder: Option<CardHolder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_line1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_line2: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_city: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_country: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_state: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address_zip: Option<String>,
}

impl Operations {
    pub(super) async fn show_payment_cards(
        &self,
        context: &Context,
        parameters: ListPaymentCardsParameters,
    ) -> Result<SavedPaymentCardPage, Failure> {
        let page = page_of!(parameters, SORTED)?;
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let listed = (page, SORTED);
        let cards = self
            .service
            .cards(merchant, customer, Purpose::Payment, listed);
        let data: Result<_, _> = cards.await?.into_iter().map(payment_card).collect();
        Ok(SavedPaymentCardPage {
            data: Some(data?),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn change_payment_card(
        &self,
        context: &Context,
        parameters: UpdatePaymentCardParameters,
        body: PaymentCardUpdate,
    ) -> Result<SavedPaymentCard, Failure> {
        check(&body)?;
        let name = payment(parameters.merchant_customer_id, parameters.id);
        let merchant = Self::merchant(context)?;
        let changed = self
            .service
            .update_card(merchant, name, move |card, work| change(card, &body, work));
        payment_card(changed.await?)
    }

    pub(super) async fn drop_payment_card(
        &self,
        context: &Context,
        parameters: RemovePaymentCardParameters,
    ) -> Result<(), Failure> {
        let name = payment(parameters.merchant_customer_id, parameters.id);
        self.service
            .remove_card(Self::merchant(context)?, name)
            .await
    }

    pub(super) async fn show_saved_payout_cards(
        &self,
        context: &Context,
        parameters: ListSavedPayoutCardsParameters,
    ) -> Result<SavedPayoutCardPage, Failure> {
        let page = page_of!(parameters, SORTED)?;
        let (merchant, customer) = (Self::merchant(context)?, parameters.merchant_customer_id);
        let listed = (page, SORTED);
        let cards = self
            .service
            .cards(merchant, customer, Purpose::Payout, listed);
        Ok(SavedPayoutCardPage {
            data: Some(cards.await?.into_iter().map(payout_card).collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn show_saved_payout_card(
        &self,
        context: &Context,
        parameters: GetSavedPayoutCardParameters,
    ) -> Result<SavedPayoutCard, Failure> {
        let name = payout(parameters.merchant_customer_id, parameters.id);
        let card = self.service.card(Self::merchant(context)?, name);
        Ok(payout_card(card.await?))
    }

    pub(super) async fn drop_saved_payout_card(
        &self,
        context: &Context,
        parameters: RemoveSavedPayoutCardParameters,
    ) -> Result<(), Failure> {
        let name = payout(parameters.merchant_customer_id, parameters.id);
        self.service
            .remove_card(Self::merchant(context)?, name)
            .await
    }
}

fn payment(customer: String, id: Uuid) -> CardName {
    CardName {
        customer,
        purpose: Purpose::Payment,
        id: id.into(),
    }
}

fn payout(customer: String, id: Uuid) -> CardName {
    CardName {
        customer,
        purpose: Purpose::Payout,
        id: id.into(),
    }
}

/// What can be said without the card: month and year for themselves, the name.
fn check(body: &PaymentCardUpdate) -> Result<(), Rejection> {
    let name = body.card_name.as_deref();
    let name = name.and_then(|name| customer::check_name(name, "/cardName"));
    let (month, year) = (body.exp_month.as_deref(), body.exp_year.as_deref());
    // A month or a year that is right stands in for the one that is not looked at.
    let month = month.and_then(|month| Expiry::of(month, "2000").err());
    let year = year.and_then(|year| Expiry::of("01", year).err());
    let wrong = name
        .into_iter()
        .chain(month.map(wrong_expiry))
        .chain(year.map(wrong_expiry));
    Rejection::collected(wrong.collect())
}

fn wrong_expiry(error: ExpiryError) -> Rejection {
    let pointer = match error {
        ExpiryError::Month => "/expMonth",
        ExpiryError::Year => "/expYear",
    };
    Rejection::at(Code::ContractViolation, pointer, error.to_string())
}

/// What the body does not have stays as it is.
fn change(card: &mut SavedCard, body: &PaymentCardUpdate, work: &Work<'_>) -> Result<(), Failure> {
    let new = body.clone();
    if new.exp_month.is_some() || new.exp_year.is_some() {
        let before = card.card.expiry;
        let month = new.exp_month.or(before.map(Expiry::month));
        let year = new.exp_year.or(before.map(Expiry::year));
        let expiry = Expiry::of(&month.unwrap_or_default(), &year.unwrap_or_default());
        let pointer = if body.exp_year.is_some() {
            "/expYear"
        } else {
            "/expMonth"
        };
        card.card.expiry = Some(future(expiry.map_err(wrong_expiry)?, pointer, work)?);
    }
    if let Some(name) = new.card_name {
        card.name = name;
    }
    card.is_default = new.is_default.unwrap_or(card.is_default);
    let before: Description = read(&card.details)?;
    card.details = text(&Description {
        card_holder_name: new.card_holder_name.or(before.card_holder_name),
        card_holder: new.card_holder.or(before.card_holder),
        address_line1: new.address_line1.or(before.address_line1),
        address_line2: new.address_line2.or(before.address_line2),
        address_city: new.address_city.or(before.address_city),
        address_country: new.address_country.or(before.address_country),
        address_state: new.address_state.or(before.address_state),
        address_zip: new.address_zip.or(before.address_zip),
    })?;
    Ok(())
}

fn payment_card(saved: SavedCard) -> Result<SavedPaymentCard, Failure> {
    let described: Description = read(&saved.details)?;
    let scheme = Schemes::seeded().named(&saved.card.organization);
    let issuer = saved.card.issuer.as_ref();
    Ok(SavedPaymentCard {
        id: Some(saved.id.into()),
        customer_id: Some(saved.customer.into()),
        first_transaction_id: saved.first_transaction.map(Into::into),
        card_name: Some(saved.name),
        card_holder_name: described.card_holder_name,
        card_holder: described.card_holder,
        address_line1: described.address_line1,
        address_line2: described.address_line2,
        address_city: described.address_city,
        address_country: described.address_country,
        address_state: described.address_state,
        address_zip: described.address_zip,
        organization: Some(saved.card.organization),
        brand: scheme.map(|scheme| scheme.brand.clone()),
        bank: issuer.map(|issuer| issuer.bank.clone()),
        country: issuer.map(|issuer| issuer.country.clone()),
        tokenization_method: Some(TOKENIZATION.to_owned()),
        last4: Some(saved.card.last4),
        exp_month: saved.card.expiry.map(Expiry::month),
        exp_year: saved.card.expiry.map(Expiry::year),
        is_default: Some(saved.is_default),
        eea: issuer.map(Issuer::is_in_eea),
        commercial: issuer.map(|issuer| issuer.commercial),
        created_at: Some(saved.created_at.into()),
    })
}

fn payout_card(saved: SavedCard) -> SavedPayoutCard {
    SavedPayoutCard {
        id: Some(saved.id.into()),
        customer_id: Some(saved.customer.into()),
        card_name: Some(saved.name),
        last4: Some(saved.card.last4),
        organization: Some(saved.card.organization),
        created_at: Some(saved.created_at.into()),
    }
}
