//! The login and logout of the developer pages, with the admin key.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::{StatusCode, header};

use super::fields::Fields;
use super::page;
use super::session::{LOGIN, Session};
use super::start::START;
use crate::admin::Control;

#[derive(Template)]
#[template(path = "login.html")]
struct Login {
    failed: bool,
}

pub(super) fn routes() -> Router<Control> {
    Router::new()
        .route(LOGIN, get(form).post(enter))
        .route("/logout", post(leave))
}

async fn form() -> Response {
    page::respond(&Login { failed: false }, page::POLICY)
}

async fn enter(State(control): State<Control>, fields: Fields) -> Response {
    if !control.key.is(fields.raw("key").as_bytes()) {
        let mut again = page::respond(&Login { failed: true }, page::POLICY);
        *again.status_mut() = StatusCode::FORBIDDEN;
        return again;
    }
    match Session::cookie(&control) {
        Some(cookie) => {
            let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
            (cookie, Redirect::to(START)).into_response()
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn leave(session: Session, fields: Fields) -> Result<Response, StatusCode> {
    session.check(fields.raw("nonce"))?;
    let cookie = AppendHeaders([(header::SET_COOKIE, Session::no_cookie())]);
    Ok((cookie, Redirect::to(LOGIN)).into_response())
}
