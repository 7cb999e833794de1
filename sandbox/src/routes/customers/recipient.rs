//! Recipients to whose cards a customer pays out.

use merchant_payments::models::{
    RecipientCardRequest, RecipientCardUpdate, RecipientPage, VerifiedRecipientCard,
};
use merchant_payments::operations::customers::{
    ListRecipientsParameters, RemoveRecipientCardParameters, RemoveRecipientParameters,
    UpdateRecipientCardParameters, VerifyRecipientCardParameters,
};
use merchant_payments::runtime::{Timestamp, Uuid};
use merchant_payments::server::Context;

use crate::details::CardDetails;
use crate::domain::card::Entered;
use crate::domain::currency::Currency;
use crate::domain::pan::Pan;
use crate::domain::scheme::Schemes;
use crate::domain::{Code, Rejection, amount, customer};
use crate::routes::Operations;
use crate::routes::page::{meta, page_of};
use crate::service::Failure;
use crate::service::cards::{CardChange, CardName, Save};
use crate::store::cards::{Purpose, SORTED_RECIPIENTS, SavedCard};

const METHOD: &str = "PME_CARD";
const CHANNEL: &str = "PCL_CARD";

impl Operations {
    pub(super) async fn show_recipients(
        &self,
        context: &Context,
        parameters: ListRecipientsParameters,
    ) -> Result<RecipientPage, Failure> {
        let page = page_of!(parameters, SORTED_RECIPIENTS)?;
        let customer = parameters.merchant_customer_id;
        let listed = (page, SORTED_RECIPIENTS);
        let cards = self.service.cards(
            Self::merchant(context)?,
            customer.clone(),
            Purpose::Recipient,
            listed,
        );
        let data = cards.await?.into_iter();
        Ok(RecipientPage {
            data: Some(data.map(|card| model(card, &customer)).collect()),
            meta: Some(meta(&page)),
        })
    }

    pub(super) async fn verify_card(
        &self,
        context: &Context,
        parameters: VerifyRecipientCardParameters,
        body: RecipientCardRequest,
    ) -> Result<VerifiedRecipientCard, Failure> {
        let alias = body.alias.as_deref();
        let phone = body.phone_number.as_deref();
        let wrong = [
            check_amount(&parameters),
            phone.and_then(|number| customer::check_telephone(number, "/phoneNumber")),
            alias.and_then(|alias| customer::check_name(alias, "/alias")),
        ];
        Rejection::collected(wrong.into_iter().flatten().collect())?;
        let customer = parameters.merchant_customer_id;
        let save = Save {
            customer: customer.clone(),
            purpose: Purpose::Recipient,
            entered: Entered {
                number: Pan::from_integer(*body.card_number.expose()),
                number_at: "/cardNumber",
                expiry: None,
                cvv: None,
            },
            name: body.alias,
            details: CardDetails {
                first_name: body.recipient_first_name,
                last_name: body.recipient_last_name,
                phone: body.phone_number,
                ..CardDetails::default()
            },
        };
        let saved = self
            .service
            .save_card(Self::merchant(context)?, save)
            .await?;
        Ok(model(saved, &customer))
    }

    pub(super) async fn rename_recipient_card(
        &self,
        context: &Context,
        parameters: UpdateRecipientCardParameters,
        body: RecipientCardUpdate,
    ) -> Result<VerifiedRecipientCard, Failure> {
        let wrong = customer::check_name(&body.alias, "/alias");
        Rejection::collected(wrong.into_iter().collect())?;
        let customer = parameters.merchant_customer_id;
        let name = name(customer.clone(), parameters.id);
        let change = CardChange {
            name: Some(body.alias),
            ..CardChange::default()
        };
        let renamed = self
            .service
            .update_card(Self::merchant(context)?, name, change);
        Ok(model(renamed.await?, &customer))
    }

    pub(super) async fn drop_recipient_card(
        &self,
        context: &Context,
        parameters: RemoveRecipientCardParameters,
    ) -> Result<(), Failure> {
        let name = name(parameters.merchant_customer_id, parameters.id);
        self.service
            .remove_card(Self::merchant(context)?, name)
            .await
    }

    pub(super) async fn drop_recipient(
        &self,
        context: &Context,
        parameters: RemoveRecipientParameters,
    ) -> Result<(), Failure> {
        let name = name(parameters.merchant_customer_id, parameters.id);
        self.service
            .remove_card(Self::merchant(context)?, name)
            .await
    }
}

fn name(customer: String, id: Uuid) -> CardName {
    CardName {
        customer,
        purpose: Purpose::Recipient,
        id: id.into(),
    }
}

/// Checks the amount that the recipient would get, if it is given.
fn check_amount(parameters: &VerifyRecipientCardParameters) -> Option<Rejection> {
    let wrong = match (&parameters.amount, &parameters.currency) {
        (Some(amount), Some(currency)) => amount::read(amount.as_str(), currency).err()?,
        (None, Some(currency)) => {
            let error = Currency::parse(currency).err()?;
            Rejection::at(Code::AmountRule, "/currency", error.to_string())
        }
        (_, None) => return None,
    };
    let pointer = wrong.pointer.map(|pointer| format!("/query{pointer}"));
    Some(Rejection { pointer, ..wrong })
}

fn model(card: SavedCard, customer: &str) -> VerifiedRecipientCard {
    let scheme = Schemes::seeded().named(&card.card.organization);
    let created_at = Timestamp::from(card.created_at);
    VerifiedRecipientCard {
        id: Some(card.id.into()),
        merchant_customer_id: Some(customer.to_owned()),
        alias: Some(card.name),
        last4: Some(card.card.last4),
        organization: Some(card.card.organization),
        payment_method: Some(METHOD.to_owned()),
        payment_channel: Some(CHANNEL.to_owned()),
        organization_logo_url: scheme.map(|scheme| scheme.logo_url.clone()),
        created_at: Some(created_at.to_string()),
    }
}
