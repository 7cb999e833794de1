//! The nonce of a form, which proves that the sender has loaded its page.

use std::fmt;

use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::StatusCode;
use subtle::ConstantTimeEq;

use super::closing_page::ended;
use super::tone::Tone;
use crate::admin::Control;

/// A keyed hash of the page's name, different for each page.
pub(super) struct Nonce(String);

impl Nonce {
    /// The nonce of the page with this name.
    pub(super) fn of(control: &Control, page: &str) -> Self {
        let hash = control
            .service
            .fingerprint(format!("page/{page}").as_bytes());
        Self(URL_SAFE_NO_PAD.encode(hash.unwrap_or_default()))
    }

    /// Refuses a form whose nonce is wrong.
    pub(super) fn check(&self, given: &str) -> Result<(), Foreign> {
        let same: bool = self.0.as_bytes().ct_eq(given.as_bytes()).into();
        if same { Ok(()) } else { Err(Foreign) }
    }
}

/// The form was not sent from its page.
pub(super) struct Foreign;

impl From<Foreign> for Response {
    fn from(_: Foreign) -> Self {
        let detail = "The form did not come from the page of this payment.";
        ended(StatusCode::FORBIDDEN, Tone::Bad, "Not taken", detail)
    }
}

impl fmt::Display for Nonce {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
