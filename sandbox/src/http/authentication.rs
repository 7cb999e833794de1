//! Who is asking: an API key, or HTTP Basic with that key as the password.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;

use crate::store::{self, Credential, Secret, Store, StoreError, Tenant};

/// The credentials that open the door.
#[derive(Clone, Debug)]
pub struct Authentication {
    secret: Secret,
    credentials: Arc<[Credential]>,
}

impl Authentication {
    /// Reads the credentials of a database.
    pub fn load(store: &Store, secret: Secret) -> Result<Self, StoreError> {
        let credentials: Vec<Credential> = store.read(store::credentials)?;
        Ok(Self {
            secret,
            credentials: credentials.into(),
        })
    }

    /// Whose credentials these are.
    fn tenant(&self, headers: &HeaderMap) -> Option<Tenant> {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let value = values
            .next()
            .filter(|_| values.next().is_none())?
            .as_bytes();
        self.by_key(None, value).or_else(|| {
            let (username, password) = basic(value)?;
            self.by_key(Some(&username), &password)
        })
    }

    /// Compares with every credential in the same time, whichever it is.
    fn by_key(&self, username: Option<&[u8]>, key: &[u8]) -> Option<Tenant> {
        let hash = self.secret.hash(&[key]).ok()?;
        let mut found = None;
        for credential in self.credentials.iter() {
            let named = username.is_none_or(|name| name == credential.username.as_bytes());
            if bool::from(credential.key_hash.ct_eq(&hash)) && named {
                found = Some(credential.tenant);
            }
        }
        found
    }
}

/// Lets a request pass that says who asks, and answers 401 to any other.
pub(super) async fn require(
    State(authentication): State<Authentication>,
    mut request: Request,
    next: Next,
) -> Response {
    match authentication.tenant(request.headers()) {
        Some(tenant) => {
            request.extensions_mut().insert(tenant);
            next.run(request).await
        }
        None => StatusCode::UNAUTHORIZED.into_response(),
    }
}

/// User name and password of `Basic <base64 of username:password>`.
fn basic(value: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let text = std::str::from_utf8(value).ok()?;
    let (scheme, encoded) = text.split_once(' ')?;
    let decoded = STANDARD.decode(encoded.trim()).ok()?;
    let colon = decoded.iter().position(|byte| *byte == b':')?;
    scheme
        .eq_ignore_ascii_case("basic")
        .then(|| (decoded[..colon].to_vec(), decoded[colon + 1..].to_vec()))
}
