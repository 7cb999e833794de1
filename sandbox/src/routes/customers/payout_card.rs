//! Payout cards that customers saved.

use merchant_payments::models::{
    PayoutCardListItem, PayoutCardPage, PayoutCardProfile, PayoutCardRequest, PayoutCardUpdate,
    PayoutCardWidget, PayoutCardWidgetRequest,
};
use merchant_payments::operations::customers::{
    CreatePayoutCardParameters, InitialisePayoutCardWidgetParameters, ListPayoutCardsParameters,
    RemovePayoutCardParameters, UpdatePayoutCardParameters,
};
use merchant_payments::runtime::Uuid;
use merchant_payments::server::Context;

use crate::details::{CardDetails, CardEntryDetails};
use crate::domain::card::Entered;
use crate::domain::expiry_change::ExpiryChange;
use crate::domain::pan::Pan;
use crate::domain::{Code, Rejection, customer};
use crate::routes::page::{meta, page_of};
use crate::routes::{Operations, web_address};
use crate::service::Failure;
use crate::service::card_entries::PATH;
use crate::service::cards::{CardChange, CardName, Save};
use crate::store::cards::{Purpose, SORTED_PROFILES, SavedCard};

/// When a payout to a card of the sandbox arrives.
const AVAILABILITY: &str = "immediate";

impl Operations {
    pub(super) async fn save_payout_card(
        &self,
        context: &Context,
        parameters: CreatePayoutCardParameters,
        body: PayoutCardRequest,
    ) -> Result<PayoutCardProfile, Failure> {
        let customer = named(parameters.external_customer_id)?;
        let alias = body.card_alias;
        let wrong = alias
            .as_deref()
            .and_then(|alias| check_alias(alias, "/cardAlias"));
        Rejection::collected(wrong.into_iter().collect())?;
        let save = Save {
            customer,
            purpose: Purpose::PayoutProfile,
            entered: Entered {
                number: Pan::parse(body.card.number.expose()),
                number_at: "/card/number",
                expiry: Some((body.card.expiry_date, "/card/expiryDate")),
                cvv: body.card.cvv.map(|cvv| (*cvv.expose(), "/card/cvv")),
            },
            name: alias,
            details: CardDetails {
                first_name: body.recipient_first_name,
                last_name: body.recipient_last_name,
                ..CardDetails::default()
            },
        };
        let merchant = Self::merchant(context)?;
        Ok(profile(self.service.save_card(merchant, save).await?))
    }

    pub(super) async fn show_payout_cards(
        &self,
        context: &Context,
        parameters: ListPayoutCardsParameters,
    ) -> Result<PayoutCardPage, Failure> {
        let customer = named(parameters.external_customer_id)?;
        let page = page_of!(parameters, SORTED_PROFILES)?;
        let listed = (page, SORTED_PROFILES);
        let merchant = Self::merchant(context)?;
        let cards = self
            .service
            .cards(merchant, customer, Purpose::PayoutProfile, listed)
            .await?;
        Ok(PayoutCardPage {
            data: Some(cards.into_iter().map(item).collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn change_payout_card(
        &self,
        context: &Context,
        parameters: UpdatePayoutCardParameters,
        body: PayoutCardUpdate,
    ) -> Result<PayoutCardProfile, Failure> {
        let name = name(parameters.external_customer_id, parameters.id)?;
        let wrong = body.card_alias.as_deref();
        let wrong = wrong.and_then(|alias| check_alias(alias, "/cardAlias"));
        Rejection::collected(wrong.into_iter().collect())?;
        let merchant = Self::merchant(context)?;
        let change = CardChange {
            name: body.card_alias,
            expiry: body.expiry_date.map(ExpiryChange::Whole),
            is_default: None,
            details: CardDetails {
                first_name: body.recipient_first_name,
                last_name: body.recipient_last_name,
                ..CardDetails::default()
            },
        };
        let changed = self.service.update_card(merchant, name, change);
        Ok(profile(changed.await?))
    }

    pub(super) async fn drop_payout_card(
        &self,
        context: &Context,
        parameters: RemovePayoutCardParameters,
    ) -> Result<(), Failure> {
        let name = name(parameters.external_customer_id, parameters.id)?;
        let merchant = Self::merchant(context)?;
        self.service.remove_card(merchant, name).await
    }

    pub(super) async fn begin_card_entry(
        &self,
        context: &Context,
        parameters: InitialisePayoutCardWidgetParameters,
        body: PayoutCardWidgetRequest,
    ) -> Result<PayoutCardWidget, Failure> {
        let customer = named(parameters.external_customer_id)?;
        let back = web_address::check(&body.return_url, "/returnUrl");
        let receiver = body.custom_ipn_url.as_deref();
        let receiver = receiver.and_then(|url| web_address::check(url, "/customIpnUrl"));
        Rejection::collected(back.into_iter().chain(receiver).collect())?;
        let merchant = Self::merchant(context)?;
        let details = CardEntryDetails {
            return_url: body.return_url,
            custom_ipn_url: body.custom_ipn_url,
            locale: body.locale,
        };
        let opened = self.service.open_card_entry(merchant, customer, details);
        let (name, expires_at) = opened.await?;
        let url = format!("{}{PATH}{name}", self.service.address());
        Ok(PayoutCardWidget::builder()
            .expires_at(expires_at)
            .widget_token(name.to_string())
            .widget_url(url)
            .build())
    }
}

/// The customer's id from the header; refused when the header is missing.
fn named(header: Option<String>) -> Result<String, Rejection> {
    header.ok_or_else(|| {
        let pointer = "/header/external-customer-id";
        Rejection::at(
            Code::ContractViolation,
            pointer,
            "is needed: it names the customer",
        )
    })
}

fn name(header: Option<String>, id: Uuid) -> Result<CardName, Rejection> {
    Ok(CardName {
        customer: named(header)?,
        purpose: Purpose::PayoutProfile,
        id: id.into(),
    })
}

fn check_alias(alias: &str, pointer: &str) -> Option<Rejection> {
    customer::check_name(alias, pointer)
}

fn profile(card: SavedCard) -> PayoutCardProfile {
    let organization = card.card.organization.clone();
    let item = item(card);
    PayoutCardProfile {
        id: item.id,
        customer_id: item.customer_id,
        organization: Some(organization),
        card_name: item.card_name,
        recipient_first_name: item.recipient_first_name,
        recipient_last_name: item.recipient_last_name,
        last4: item.last4,
        funds_availability: item.funds_availability,
        created_at: item.created_at,
        updated_at: item.updated_at,
    }
}

fn item(card: SavedCard) -> PayoutCardListItem {
    let names = card.details;
    PayoutCardListItem {
        id: Some(card.id.into()),
        customer_id: Some(card.customer.into()),
        card_name: Some(card.name),
        recipient_first_name: names.first_name,
        recipient_last_name: names.last_name,
        last4: Some(card.card.last4),
        funds_availability: Some(AVAILABILITY.to_owned()),
        created_at: Some(card.created_at.into()),
        updated_at: Some(card.updated_at.into()),
    }
}
