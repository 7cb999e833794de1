//! The page of a payment link, on which a customer pays with a card.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::StatusCode;
use uuid::Uuid;

use super::bill::{Bill, return_address};
use super::card_form::{Mistake, entered, mistakes_of};
use super::closing_page::{ended, failed, nothing};
use super::fields::Fields;
use super::nonce::Nonce;
use super::tone::Tone;
use super::{page, payment};
use crate::admin::Control;
use crate::domain::card::Card;
use crate::domain::payment_link::Status;
use crate::domain::{link_items, state};
use crate::render::payment_link::PATH;
use crate::service::Failure;
use crate::service::payment_links::Pay;
use crate::store::Merchant;
use crate::store::payment_links::LinkRecord;

/// The text when there is no such link.
const GONE: &str = "There is no such payment link.";
/// The channel of card payments.
const CHANNEL: &str = "PCL_CARD";

#[derive(Template)]
#[template(path = "link.html")]
struct Link {
    bill: Bill,
    nonce: String,
    problems: Vec<Mistake>,
}

impl Link {
    fn is_wrong(&self, at: &str) -> bool {
        self.problems.iter().any(|wrong| wrong.at == at)
    }
}

pub(super) fn routes() -> Router<Control> {
    Router::new().route(&format!("{PATH}{{id}}"), get(show).post(pay))
}

async fn show(
    State(control): State<Control>,
    Path(id): Path<String>,
) -> Result<Response, Response> {
    let (merchant, record) = find(&control, &id).await?;
    form(&control, merchant, &record, Vec::new()).await
}

async fn pay(
    State(control): State<Control>,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Response, Response> {
    let (merchant, record) = find(&control, &id).await?;
    nonce(&control, &record).check(fields.raw("nonce"))?;
    match fields.raw("decision") {
        "pay" => {}
        "abandon" => return Ok(abandoned(&record)),
        _ => {
            let (status, detail) = (StatusCode::UNPROCESSABLE_ENTITY, "The form has no answer.");
            return Err(ended(status, Tone::Bad, "Not taken", detail));
        }
    }
    let card = match card(&control, merchant, &fields).await {
        Ok(card) => card,
        Err(Failure::Rejected(rejection)) => {
            return form(&control, merchant, &record, mistakes_of(rejection)).await;
        }
        Err(failure) => return Err(failed(&failure, GONE)),
    };
    let payment = Pay {
        payment_channel: CHANNEL.to_owned(),
        outcome: card.outcome,
    };
    let paid = { &control.service }
        .pay_payment_link(merchant, record.link.id, payment)
        .await;
    let view = paid.map_err(|failure| failed(&failure, GONE))?;
    if view.record.transaction.status == state::Status::Rejected {
        let text = "The card was declined. Nothing was paid; you can try another card.";
        let (at, text) = ("/number".to_owned(), text.to_owned());
        let (merchant, record) = find(&control, &id).await?;
        return form(&control, merchant, &record, vec![Mistake { at, text }]).await;
    }
    match &view.redirect {
        // The customer's bank asks on a separate page.
        Some(page) => Ok(Redirect::to(page).into_response()),
        None => Ok(payment::back(&view)),
    }
}

/// The response when the customer leaves without paying.
fn abandoned(record: &LinkRecord) -> Response {
    let detail = "The link can be opened again until it expires.";
    match return_address(&link_items::purchase(&record.details)) {
        Some(address) => Redirect::to(&address).into_response(),
        None => ended(StatusCode::OK, Tone::Wait, "Not paid yet", detail),
    }
}

/// The page with the form while the link can be paid, and a closing page otherwise.
async fn form(
    control: &Control,
    merchant: Merchant,
    record: &LinkRecord,
    problems: Vec<Mistake>,
) -> Result<Response, Response> {
    let (tone, title, detail) = match record.link.status() {
        Status::Active => {
            let name = control.service.merchant_name(merchant).await;
            let status = if problems.is_empty() {
                StatusCode::OK
            } else {
                StatusCode::UNPROCESSABLE_ENTITY
            };
            let page = Link {
                bill: Bill::of_link(name.unwrap_or_default(), record),
                nonce: nonce(control, record).to_string(),
                problems,
            };
            let mut response = page::respond(&page, payment::POLICY);
            *response.status_mut() = status;
            return Ok(response);
        }
        Status::Processing => (Tone::Wait, "Not decided", "A payment is on its way."),
        Status::Paid => (Tone::Good, "Paid", "This link has been paid."),
        Status::Expired => (Tone::Bad, "Expired", "The time to pay has run out."),
        Status::Cancelled => (Tone::Bad, "Closed", "The shop has closed this link."),
    };
    Ok(ended(StatusCode::OK, tone, title, detail))
}

async fn find(control: &Control, id: &str) -> Result<(Merchant, LinkRecord), Response> {
    let id: Uuid = id.parse().map_err(|_| nothing(GONE))?;
    let found = control.service.open_payment_link(id).await;
    found.map_err(|failure| failed(&failure, GONE))
}

/// The card in the form; refused when it is invalid.
async fn card(control: &Control, merchant: Merchant, fields: &Fields) -> Result<Card, Failure> {
    let now = control.service.clock(merchant).await?;
    Ok(entered(fields).check(control.service.accepted_cards(), now)?)
}

fn nonce(control: &Control, record: &LinkRecord) -> Nonce {
    Nonce::of(control, &format!("link/{}", record.link.id))
}
