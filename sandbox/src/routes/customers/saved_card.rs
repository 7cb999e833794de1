//! Cards that accepted transactions saved.

use merchant_payments::models::{
    PaymentCardUpdate, SavedPaymentCard, SavedPaymentCardPage, SavedPayoutCard, SavedPayoutCardPage,
};
use merchant_payments::operations::customers::{
    GetSavedPayoutCardParameters, ListPaymentCardsParameters, ListSavedPayoutCardsParameters,
    RemovePaymentCardParameters, RemoveSavedPayoutCardParameters, UpdatePaymentCardParameters,
};
use merchant_payments::runtime::Uuid;
use merchant_payments::server::Context;

use crate::details::CardDetails;
use crate::domain::card::Issuer;
use crate::domain::expiry::Expiry;
use crate::domain::expiry_change::ExpiryChange;
use crate::domain::scheme::Schemes;
use crate::domain::{Rejection, customer};
use crate::routes::Operations;
use crate::routes::page::{meta, page_of};
use crate::service::Failure;
use crate::service::cards::{CardChange, CardName};
use crate::store::cards::{Purpose, SORTED, SavedCard};

/// The owner of the card's token: the merchant, not a wallet.
const TOKENIZATION: &str = "merchant";

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
        Ok(SavedPaymentCardPage {
            data: Some(cards.await?.into_iter().map(payment_card).collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn change_payment_card(
        &self,
        context: &Context,
        parameters: UpdatePaymentCardParameters,
        body: PaymentCardUpdate,
    ) -> Result<SavedPaymentCard, Failure> {
        let change = change(body)?;
        let name = payment(parameters.merchant_customer_id, parameters.id);
        let merchant = Self::merchant(context)?;
        let changed = self.service.update_card(merchant, name, change);
        Ok(payment_card(changed.await?))
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

/// Parses a change and checks everything that does not depend on the card: month, year and name.
fn change(body: PaymentCardUpdate) -> Result<CardChange, Rejection> {
    let name = body.card_name.as_deref();
    let name = name.and_then(|name| customer::check_name(name, "/cardName"));
    let (month, year) = (body.exp_month, body.exp_year);
    let is_given = month.is_some() || year.is_some();
    let expiry = is_given.then_some(ExpiryChange::Parts { month, year });
    let wrong = { expiry.iter() }.flat_map(ExpiryChange::check);
    Rejection::collected(name.into_iter().chain(wrong).collect())?;
    Ok(CardChange {
        name: body.card_name,
        expiry,
        is_default: body.is_default,
        details: CardDetails {
            card_holder_name: body.card_holder_name,
            card_holder: body.card_holder.map(Into::into),
            address_line1: body.address_line1,
            address_line2: body.address_line2,
            address_city: body.address_city,
            address_country: body.address_country,
            address_state: body.address_state,
            address_zip: body.address_zip,
            ..CardDetails::default()
        },
    })
}

fn payment_card(saved: SavedCard) -> SavedPaymentCard {
    let described = saved.details;
    let scheme = Schemes::seeded().named(&saved.card.organization);
    let issuer = saved.card.issuer.as_ref();
    SavedPaymentCard {
        id: Some(saved.id.into()),
        customer_id: Some(saved.customer.into()),
        first_transaction_id: saved.first_transaction.map(Into::into),
        card_name: Some(saved.name),
        card_holder_name: described.card_holder_name,
        card_holder: described.card_holder.map(Into::into),
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
    }
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
