//! Parses the fields of a form or a query.

use std::collections::BTreeMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use url::form_urlencoded::parse;

/// Names and values; of two fields with the same name, the last one counts.
#[derive(Default)]
pub(super) struct Fields(BTreeMap<String, String>);

/// The fields of a query.
pub(super) struct Asked(pub(super) Fields);

impl Fields {
    fn read(encoded: &[u8]) -> Self {
        Self(parse(encoded).into_owned().collect())
    }

    /// The value of a field without surrounding spaces; `None` when it is empty.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let value = self.0.get(name)?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    }

    /// The unchanged value of a field; empty when it is absent.
    pub(super) fn raw(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

impl<S: Send + Sync> FromRequest<S> for Fields {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(IntoResponse::into_response)?;
        Ok(Self::read(&bytes))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self(Fields::read(query.as_bytes())))
    }
}
