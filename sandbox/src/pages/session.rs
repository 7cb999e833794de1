//! Who may see the pages for developers: whoever has shown the admin key, which a cookie says that only this program can
//! make; or, on a machine of one's own, whoever asks it.

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;
use url::{Host, Url};

use crate::admin::Control;
use crate::seed;

/// Where the admin key is shown.
pub(super) const LOGIN: &str = "/login";
/// The name of the cookie.
const NAME: &str = "sandbox-session";
/// Where the cookie is sent, and by whom.
const SCOPE: &str = "Path=/; HttpOnly; SameSite=Strict";
/// How long it is good for, in seconds.
const LIFETIME: i64 = 8 * 60 * 60;

/// Somebody who may see the pages.
pub(super) struct Session {
    /// What a form of theirs has to bring along, so that no other page can send it.
    pub(super) nonce: String,
    /// Whether they have shown the key.
    pub(super) signed_in: bool,
}

impl Session {
    /// The cookie of a new session.
    pub(super) fn cookie(control: &Control) -> Option<String> {
        let ends = control.service.machine_time().as_second() + LIFETIME;
        let seal = seal(control, "session", ends)?;
        // Browsers take such a cookie from this machine without TLS, too.
        let secure = if control.service.address().starts_with("https:") {
            "; Secure"
        } else {
            ""
        };
        Some(format!(
            "{NAME}={ends}.{seal}; {SCOPE}{secure}; Max-Age={LIFETIME}"
        ))
    }

    /// What makes the browser forget it.
    pub(super) fn no_cookie() -> String {
        format!("{NAME}=; {SCOPE}; Max-Age=0")
    }

    /// Refuses a form that does not come from a page of this session.
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
        (same && alive).then_some(Self {
            nonce: seal(control, "form", ends)?,
            signed_in: true,
        })
    }

    /// The session of whoever works on this machine with the key that everybody knows: that key would keep nobody out.
    ///
    /// The request has to name this machine as its host. A page of another host that makes its name lead here, to read what
    /// is shown, is refused so.
    fn of_this_machine(headers: &HeaderMap, control: &Control) -> Option<Self> {
        let address = Url::parse(&control.service.address()).ok()?;
        let host = headers.get(header::HOST)?.to_str().ok()?;
        let asked = Url::parse(&format!("http://{host}/")).ok()?;
        let open = control.key.is(seed::DEFAULT_ADMIN_KEY.as_bytes())
            && is_this_machine(&address)
            && is_this_machine(&asked);
        open.then_some(Self {
            nonce: seal(control, "form", 0)?,
            signed_in: false,
        })
    }
}

fn is_this_machine(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl FromRequestParts<Control> for Session {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, control: &Control) -> Result<Self, Response> {
        let session = Self::read(&parts.headers, control);
        session
            .or_else(|| Self::of_this_machine(&parts.headers, control))
            .ok_or_else(|| Redirect::to(LOGIN).into_response())
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
    let mut text = format!("session/{purpose}/{ends}/").into_bytes();
    text.extend_from_slice(control.key.expose());
    let hash = control.service.fingerprint(&text).ok()?;
    Some(URL_SAFE_NO_PAD.encode(hash))
}
