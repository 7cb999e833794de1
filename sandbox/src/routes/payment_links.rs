//! Payment links.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use merchant_payments::models;
use merchant_payments::operations::payment_links::{
    CreatePaymentLinkCreatedHeaders, GetPaymentLinkParameters, ListPaymentLinksParameters,
    UpdatePaymentLinkParameters,
};
use merchant_payments::server::payment_links::{
    CreatePaymentLinkResponse, GetPaymentLinkResponse, ListPaymentLinksResponse,
    UpdatePaymentLinkResponse,
};
use merchant_payments::server::{Context, PaymentLinks};
use uuid::Uuid;

use super::page::meta;
use super::{DEFAULT_CHANNEL, Operations, web_address};
use crate::details::{LinkItem, PaymentLinkDetails};
use crate::domain::number_text::decimal_text;
use crate::domain::page::{Page, PageParameters};
use crate::domain::payment_link::Change;
use crate::domain::{Code, Rejection, amount, link_items};
use crate::render::payment_link;
use crate::service::payment_links::Create;
use crate::service::{Answer, Failure};
use crate::store;
use crate::store::payment_links::{Filter, SORTED};

impl PaymentLinks for Operations {
    async fn list_payment_links(
        &self,
        context: Context,
        parameters: ListPaymentLinksParameters,
    ) -> ListPaymentLinksResponse {
        match self.payment_links(&context, &parameters).await {
            Ok(page) => ListPaymentLinksResponse::Ok(page),
            Err(failure) => failure.into(),
        }
    }

    async fn create_payment_link(
        &self,
        context: Context,
        body: models::PaymentLinkRequest,
    ) -> CreatePaymentLinkResponse {
        match self.make_payment_link(&context, body).await {
            Ok((link, replayed)) => {
                let idempotent_replayed = replayed.then_some(true);
                let headers = CreatePaymentLinkCreatedHeaders {
                    idempotent_replayed,
                };
                CreatePaymentLinkResponse::Created(link, headers)
            }
            Err(failure) => failure.into(),
        }
    }

    async fn get_payment_link(
        &self,
        context: Context,
        parameters: GetPaymentLinkParameters,
    ) -> GetPaymentLinkResponse {
        match self.payment_link(&context, parameters.id.into()).await {
            Ok(link) => GetPaymentLinkResponse::Ok(link),
            Err(failure) => failure.into(),
        }
    }

    async fn update_payment_link(
        &self,
        context: Context,
        parameters: UpdatePaymentLinkParameters,
        body: models::PaymentLinkUpdate,
    ) -> UpdatePaymentLinkResponse {
        let id = parameters.id.into();
        match self.change_payment_link(&context, id, body).await {
            Ok(link) => UpdatePaymentLinkResponse::Ok(link),
            Err(failure) => failure.into(),
        }
    }
}

impl Operations {
    async fn payment_links(
        &self,
        context: &Context,
        parameters: &ListPaymentLinksParameters,
    ) -> Result<models::PaymentLinkPage, Failure> {
        let merchant = Self::merchant(context)?;
        let wanted_page = PageParameters {
            items_per_page: parameters.items_per_page,
            page: parameters.page,
            ..PageParameters::default()
        };
        let page = Page::read(&wanted_page, &store::sortable(SORTED))?;
        let found = self
            .service
            .payment_links(merchant, filter(parameters)?, page)
            .await?;
        let address = self.service.address();
        let data = found
            .iter()
            .map(|record| payment_link::model(record, &address));
        Ok(models::PaymentLinkPage {
            data: Some(data.collect()),
            meta: Some(meta(&page)),
        })
    }

    async fn make_payment_link(
        &self,
        context: &Context,
        body: models::PaymentLinkRequest,
    ) -> Result<(models::PaymentLink, bool), Failure> {
        self.check_receiver(body.custom_ipn_url.as_deref())?;
        web_address::check_given(body.return_url.as_ref(), "/returnUrl")?;
        let currency = amount::currency(&body.amount.currency, "/amount/currency")?;
        let value = decimal_text(body.amount.value.as_str());
        let value = value.as_deref().unwrap_or_default();
        let money = amount::positive(value, currency, "/amount/value")?;
        let details = described(&body);
        link_items::check(details.items.as_deref(), currency)?;
        // After the checks: the canonical form cannot hold a malformed amount with too many digits.
        let key = body.merchant_transaction_id.clone();
        let submission = self.submission(context, key, &body)?;
        let email = body
            .customer
            .as_ref()
            .and_then(|customer| customer.email.clone());
        let command = Create {
            link: crate::domain::payment_link::Create {
                // Random in all bits, because anyone who knows the id can pay.
                id: Uuid::new_v4(),
                money,
                expires_at: body.expiration_date.map(Into::into),
                hidden: body.hidden.unwrap_or_default(),
            },
            payment_channel: DEFAULT_CHANNEL.to_owned(),
            customer_email: email,
            details,
        };
        let address = self.service.address();
        let answer = self.service.create_payment_link(submission, command);
        Ok(match answer.await? {
            Answer::Made(record) => (payment_link::model(&record, &address), false),
            Answer::Replayed(body) => (payment_link::again(&body)?, true),
        })
    }

    async fn payment_link(
        &self,
        context: &Context,
        id: Uuid,
    ) -> Result<models::PaymentLink, Failure> {
        let merchant = Self::merchant(context)?;
        let record = self.service.payment_link(merchant, id).await?;
        Ok(payment_link::model(&record, &self.service.address()))
    }

    async fn change_payment_link(
        &self,
        context: &Context,
        id: Uuid,
        body: models::PaymentLinkUpdate,
    ) -> Result<models::PaymentLink, Failure> {
        let merchant = Self::merchant(context)?;
        let change = Change {
            expires_at: body.expiration_date.map(Into::into),
            hidden: body.hidden,
            status: body
                .status
                .as_ref()
                .map(|status| status.as_str().to_owned()),
            items: body.items.is_some(),
        };
        let items = body.items.map(items);
        let changed = self
            .service
            .update_payment_link(merchant, id, change, items);
        let record = changed.await?;
        Ok(payment_link::model(&record, &self.service.address()))
    }
}

/// The details of a link.
fn described(body: &models::PaymentLinkRequest) -> PaymentLinkDetails {
    PaymentLinkDetails {
        customer: body.customer.clone().map(Into::into),
        items: body.items.clone().map(items),
        return_url: body.return_url.clone(),
        custom_ipn_url: body.custom_ipn_url.clone(),
    }
}

fn items(given: Vec<models::PaymentLinkItem>) -> Vec<LinkItem> {
    given.into_iter().map(Into::into).collect()
}

fn filter(parameters: &ListPaymentLinksParameters) -> Result<Filter, Rejection> {
    let currency = parameters.currency.as_deref();
    let (from, to) = (&parameters.creation_date_from, &parameters.creation_date_to);
    Ok(Filter {
        customer_email: parameters.customer_email.clone(),
        status: parameters
            .status
            .as_ref()
            .map(|status| status.as_str().to_owned()),
        currency: currency
            .map(|code| amount::currency(code, "/query/currency"))
            .transpose()?,
        created_from: moment(from.as_deref(), "creationDateFrom", Edge::Begin)?,
        created_before: moment(to.as_deref(), "creationDateTo", Edge::End)?,
        hidden: parameters.show_hidden.unwrap_or_default(),
    })
}

/// The end of a period that a date marks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edge {
    Begin,
    End,
}

/// Parses a time, or a date as the start or the end of its day.
fn moment(text: Option<&str>, name: &str, edge: Edge) -> Result<Option<Timestamp>, Rejection> {
    let Some(text) = text else {
        return Ok(None);
    };
    let end = edge == Edge::End;
    let date = text.parse::<merchant_payments::runtime::Date>().ok();
    let day = date.map(Date::from);
    let day = if end {
        day.and_then(|day| day.tomorrow().ok())
    } else {
        day
    };
    let midnight = day.and_then(|day| day.to_zoned(TimeZone::UTC).ok());
    let time = text.parse::<Timestamp>().ok();
    let time = time.and_then(|time| {
        time.checked_add(jiff::SignedDuration::from_millis(i64::from(end)))
            .ok()
    });
    let moment = midnight.map(|zoned| zoned.timestamp()).or(time);
    moment.map(Some).ok_or_else(|| {
        let pointer = format!("/query/{name}");
        Rejection::at(Code::ContractViolation, &pointer, "not a date")
    })
}
