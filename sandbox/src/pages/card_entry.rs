//! The page on which a customer enters a card for payouts, so that the merchant never sees its
//! number.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::StatusCode;

use super::card_form::{Mistake, entered, mistakes_of};
use super::closing_page::{failed, nothing};
use super::fields::Fields;
use super::nonce::Nonce;
use super::{page, payment};
use crate::admin::Control;
use crate::service::Failure;
use crate::service::card_entries::{EntryName, PATH};

/// The text when there is no such page.
const GONE: &str = "There is no such page, it has been used already, or its time is over.";

#[derive(Template)]
#[template(path = "card_entry.html")]
struct Entry {
    merchant: String,
    nonce: String,
    back: String,
    problems: Vec<Mistake>,
}

impl Entry {
    fn is_wrong(&self, at: &str) -> bool {
        self.problems.iter().any(|wrong| wrong.at == at)
    }
}

pub(super) fn routes() -> Router<Control> {
    Router::new().route(&format!("{PATH}{{name}}"), get(show).post(save))
}

async fn show(
    State(control): State<Control>,
    Path(name): Path<String>,
) -> Result<Response, Response> {
    form(&control, &name, Vec::new()).await
}

async fn save(
    State(control): State<Control>,
    Path(name): Path<String>,
    fields: Fields,
) -> Result<Response, Response> {
    let entry = parsed(&name).ok_or_else(|| nothing(GONE))?;
    Nonce::of(&control, &name).check(fields.raw("nonce"))?;
    let card = entered(&fields);
    match control.service.enter_card(entry, card).await {
        Ok(entry) => Ok(Redirect::to(&entry.details.return_url).into_response()),
        Err(Failure::Rejected(rejection)) if rejection.pointer.is_some() => {
            form(&control, &name, mistakes_of(rejection)).await
        }
        Err(failure) => Err(failed(&failure, GONE)),
    }
}

async fn form(control: &Control, name: &str, problems: Vec<Mistake>) -> Result<Response, Response> {
    let parsed = parsed(name).ok_or_else(|| nothing(GONE))?;
    let merchant = parsed.merchant;
    let entry = control.service.card_entry(parsed).await;
    let entry = entry.map_err(|failure| failed(&failure, GONE))?;
    let status = if problems.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::UNPROCESSABLE_ENTITY
    };
    let page = Entry {
        merchant: control
            .service
            .merchant_name(merchant)
            .await
            .unwrap_or_default(),
        nonce: Nonce::of(control, name).to_string(),
        back: entry.details.return_url,
        problems,
    };
    let mut response = page::respond(&page, payment::POLICY);
    *response.status_mut() = status;
    Ok(response)
}

fn parsed(name: &str) -> Option<EntryName> {
    name.parse().ok()
}
