//! The admin key: the value of the header `Authorization`, or the password of the user `admin`.

use std::fmt;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::Control;
use super::refusal::Refused;
use crate::domain::{Code, Rejection};
use crate::http::basic;

/// The user name for HTTP Basic.
const USER: &[u8] = b"admin";

/// The key of the control interface.
#[derive(Clone)]
pub struct AdminKey(Arc<[u8]>);

impl AdminKey {
    /// Creates the key from its text.
    pub fn new(key: &str) -> Self {
        Self(key.as_bytes().into())
    }

    /// Whether `given` is the key; compares in constant time.
    pub fn is(&self, given: &[u8]) -> bool {
        let hash = |key: &[u8]| Sha256::digest(key);
        hash(&self.0)
            .as_slice()
            .ct_eq(hash(given).as_slice())
            .into()
    }

    /// The bytes, to derive other secrets.
    pub(crate) fn expose(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for AdminKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AdminKey(…)")
    }
}

/// Requires the admin key.
pub(super) async fn require(
    State(control): State<Control>,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let mut values = request.headers().get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none());
    let value = value.map(http::HeaderValue::as_bytes).unwrap_or_default();
    let of_admin = |(user, password): (Vec<u8>, Vec<u8>)| {
        // Both are checked, so that the time does not reveal which one is wrong.
        let is_key = control.key.is(&password);
        user == USER && is_key
    };
    if control.key.is(value) || basic(value).is_some_and(of_admin) {
        return Ok(next.run(request).await);
    }
    Err(Rejection::new(Code::Credentials, "this takes the admin key").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_key_matches_and_debug_hides_it() {
        let key = AdminKey::new("secret");
        assert!(key.is(b"secret"));
        for other in [&b""[..], b"secre", b"secret ", b"Secret"] {
            assert!(!key.is(other));
        }
        assert_eq!(format!("{key:?}"), "AdminKey(…)");
    }
}
