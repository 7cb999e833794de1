//! Who has shown the admin key: a cookie that only this program can make.

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;

use crate::admin::Control;

/// The name of the cookie.
const NAME: &str = "sandbox-inspector";
/// How long it is good for, in seconds.
const LIFETIME: i64 = 8 * 60 * 60;

/// Somebody who has shown the admin key.
pub(super) struct Session {
    /// What a form of theirs has to bring along, so that no other page can send it.
    pub(super) nonce: String,
}

impl Session {
    /// The cookie of a new session.
    pub(super) fn cookie(control: &Control) -> Option<String> {
        let ends = control.service.machine_time().as_second() + LIFETIME;
        let seal = seal(control, "session", ends)?;
        let scope = format!("Path={}; HttpOnly; SameSite=Strict", super::HOME);
        // Browsers take such a cookie from this machine without TLS, too.
        let secure = if control.service.address().starts_with("https:") {
            "; Secure"
        } else {
            ""
        };
        Some(format!(
            "{NAME}={ends}.{seal}; {scope}{secure}; Max-Age={LIFETIME}"
        ))
    }

    /// What makes the browser forget it.
    pub(super) fn no_cookie() -> String {
        let scope = format!("Path={}; HttpOnly; SameSite=Strict", super::HOME);
        format!("{NAME}=; {scope}; Max-Age=0")
    }

    /// Refuses a form that does not come from a page behind this cookie.
    pub(super) fn check(&self, nonce: &str) -> Result<(), StatusCode> {
        let same: bool = self.nonce.as_bytes().ct_eq(nonce.as_bytes()).into();
        if same {
            Ok(())
        } else {
            Err(StatusCode::FORBIDDEN)
        }
    }

    fn read(headers: &HeaderMap, control: &Control) -> Option<Self> {
        let (ends, given) = cookie(headers)?.split_once('.')?;
        let ends: i64 = ends.parse().ok()?;
        let expected = seal(control, "session", ends)?;
        let same: bool = expected.as_bytes().ct_eq(given.as_bytes()).into();
        let alive = control.service.machine_time().as_second() < ends;
        let nonce = seal(control, "form", ends)?;
        (same && alive).then_some(Self { nonce })
    }
}

impl FromRequestParts<Control> for Session {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, control: &Control) -> Result<Self, Response> {
        let session = Self::read(&parts.headers, control);
        session.ok_or_else(|| Redirect::to("/_sandbox/inspector/login").into_response())
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let values = headers.get_all(header::COOKIE).iter();
    let cookies = values.filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(NAME)?.strip_prefix('='))
}

/// A keyed hash, with the key that the database has drawn and the admin key.
fn seal(control: &Control, purpose: &str, ends: i64) -> Option<String> {
    let mut text = format!("inspector/{purpose}/{ends}/").into_bytes();
    text.extend_from_slice(control.key.expose());
    let hash = control.service.fingerprint(&text).ok()?;
    Some(URL_SAFE_NO_PAD.encode(hash))
}
