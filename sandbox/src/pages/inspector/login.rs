//! The way in and out.

use askama::Template;
use axum::extract::State;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use http::{StatusCode, header};

use super::FIRST;
use super::session::Session;
use crate::admin::Control;
use crate::pages::fields::Fields;
use crate::pages::page;

#[derive(Template)]
#[template(path = "login.html")]
struct Login {
    failed: bool,
}

pub(super) async fn form() -> Response {
    page::respond(&Login { failed: false }, page::POLICY)
}

pub(super) async fn enter(State(control): State<Control>, fields: Fields) -> Response {
    if !control.key.is(fields.raw("key").as_bytes()) {
        let mut again = page::respond(&Login { failed: true }, page::POLICY);
        *again.status_mut() = StatusCode::FORBIDDEN;
        return again;
    }
    match Session::cookie(&control) {
        Some(cookie) => {
            let cookie = AppendHeaders([(header::SET_COOKIE, cookie)]);
            (cookie, Redirect::to(FIRST)).into_response()
        }
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

pub(super) async fn leave(session: Session, fields: Fields) -> Result<Response, StatusCode> {
    session.check(fields.raw("nonce"))?;
    let cookie = AppendHeaders([(header::SET_COOKIE, Session::no_cookie())]);
    Ok((cookie, Redirect::to("/_sandbox/inspector/login")).into_response())
}
