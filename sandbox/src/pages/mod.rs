//! Pages for people, rendered on the server: no framework, nothing from another host.
//!
//! Invariant: a GET request changes nothing.

mod assets;
mod bill;
mod card_entry;
mod card_form;
mod closing_page;
mod docs;
mod fields;
mod frame;
mod inspector;
mod login;
mod nonce;
mod origin;
mod page;
mod payment;
mod payment_link;
mod session;
mod start;
mod submitted;
mod tone;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};

use crate::admin::Control;
use crate::http::bound;

/// All pages: payment pages, the reference documentation, and the start page with the inspector.
/// The start page and the inspector require the admin key.
pub fn router(control: Control) -> Router {
    let pages = start::routes()
        .merge(login::routes())
        .merge(inspector::routes());
    let pages = pages.merge(payment::routes()).merge(payment_link::routes());
    let pages = pages.merge(card_entry::routes());
    let same_origin = from_fn_with_state(control.clone(), origin::require_same_origin);
    let pages = pages.with_state(control).layer(same_origin);
    { pages.merge(assets::routes()).merge(docs::routes()) }.layer(from_fn(bound))
}
