//! The payment page, on which a customer approves, declines, leaves, or lets the time run out.

use askama::Template;
use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use http::StatusCode;

use super::bill::{Bill, return_address};
use super::closing_page::{ended, failed, nothing};
use super::fields::Fields;
use super::nonce::Nonce;
use super::page;
use super::tone::Tone;
use crate::admin::Control;
use crate::domain::authentication::Decision;
use crate::domain::state::Status;
use crate::render::View;
use crate::service::redirect_page::Page;

/// The form redirects to the shop, which may redirect again; browsers check all these addresses
/// against `form-action`.
pub(super) const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; \
    form-action http: https:; base-uri 'none'; frame-ancestors 'none'";
/// The text when there is nothing to answer.
const GONE: &str = "There is no such payment, or it has been answered already.";

#[derive(Template)]
#[template(path = "payment.html")]
struct Payment {
    bill: Bill,
    nonce: String,
}

pub(super) fn routes() -> Router<Control> {
    Router::new().route("/pay/{page}", get(show).post(answer))
}

async fn show(
    State(control): State<Control>,
    Path(name): Path<String>,
) -> Result<Response, Response> {
    let (page, view) = find(&control, &name).await?;
    let merchant = control.service.merchant_name(page.merchant).await;
    let page = Payment {
        bill: Bill::of(merchant.unwrap_or_default(), &view),
        nonce: Nonce::of(&control, &name).to_string(),
    };
    Ok(page::respond(&page, POLICY))
}

async fn answer(
    State(control): State<Control>,
    Path(name): Path<String>,
    fields: Fields,
) -> Result<Response, Response> {
    let (page, view) = find(&control, &name).await?;
    Nonce::of(&control, &name).check(fields.raw("nonce"))?;
    let decision = match fields.raw("decision") {
        "approve" => Decision::Approve,
        "decline" => Decision::Decline,
        "timeout" => Decision::TimeOut,
        "abandon" => return Ok(back(&view)),
        _ => {
            let (status, detail) = (StatusCode::UNPROCESSABLE_ENTITY, "The form has no answer.");
            return Err(ended(status, Tone::Bad, "Not taken", detail));
        }
    };
    let decided = control.service.decide_redirect(page, decision).await;
    let view = decided.map_err(|failure| failed(&failure, GONE))?;
    Ok(back(&view))
}

/// The payment that waits for the customer on this page.
async fn find(control: &Control, name: &str) -> Result<(Page, View), Response> {
    let page: Page = name.parse().map_err(|_| nothing(GONE))?;
    let view = control.service.find_redirect(page).await;
    Ok((page, view.map_err(|failure| failed(&failure, GONE))?))
}

/// Redirects to the return address of the transaction, or shows a closing page when it has none.
pub(super) fn back(view: &View) -> Response {
    if let Some(address) = return_address(&view.record.details) {
        return Redirect::to(&address).into_response();
    }
    let (tone, title, detail) = match view.record.transaction.status {
        Status::Accepted | Status::Authorized => (Tone::Good, "Paid", "You can close this page."),
        Status::Pending => (
            Tone::Wait,
            "Not decided",
            "The payment is still pending. Its page can be opened again until the time is up.",
        ),
        Status::Expired => (Tone::Bad, "Expired", "The time to pay has run out."),
        _ => (Tone::Bad, "Not paid", "The payment was declined."),
    };
    ended(StatusCode::OK, tone, title, detail)
}
