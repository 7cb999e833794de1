//! Sessions of the developer pages. A signed cookie proves that its holder entered the admin key.
//! On the developer's machine, no key is required while it has its default value.

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

/// The path of the login page.
pub(super) const LOGIN: &str = "/login";
/// The name of the cookie.
const NAME: &str = "sandbox-session";
/// The attributes of the cookie.
const SCOPE: &str = "Path=/; HttpOnly; SameSite=Strict";
/// The lifetime of a session, in seconds.
const LIFETIME: i64 = 8 * 60 * 60;

/// The session of a request that may see the developer pages.
pub(super) struct Session {
    /// The nonce of all forms of the session, so that other sites cannot send them.
    pub(super) nonce: String,
    /// Whether the user entered the admin key.
    pub(super) signed_in: bool,
}

impl Session {
    /// The cookie of a new session.
    pub(super) fn cookie(control: &Control) -> Option<String> {
        let ends = control.service.machine_time().as_second() + LIFETIME;
        let seal = seal(control, "session", ends)?;
        // On loopback addresses, browsers accept a cookie without TLS.
        let secure = if control.service.address().starts_with("https:") {
            "; Secure"
        } else {
            ""
        };
        Some(format!(
            "{NAME}={ends}.{seal}; {SCOPE}{secure}; Max-Age={LIFETIME}"
        ))
    }

    /// The header value that deletes the cookie.
    pub(super) fn no_cookie() -> String {
        format!("{NAME}=; {SCOPE}; Max-Age=0")
    }

    /// Refuses a form that does not come from a page of the visitor who is logged in.
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

    /// The session of a request on this machine while the admin key has its default value, which
    /// everybody knows.
    ///
    /// The request has to name a loopback host. This refuses pages of other hosts whose names
    /// resolve to this machine (DNS rebinding).
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

/// A keyed hash with the database's key and the admin key.
fn seal(control: &Control, purpose: &str, ends: i64) -> Option<String> {
    let mut text = format!("session/{purpose}/{ends}/").into_bytes();
    text.extend_from_slice(control.key.expose());
    let hash = control.service.fingerprint(&text).ok()?;
    Some(URL_SAFE_NO_PAD.encode(hash))
}
