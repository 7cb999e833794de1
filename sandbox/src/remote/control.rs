//! Calls the control interface of another sandbox.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, header};
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::domain::notification::Failure;
use crate::egress::{Client, Limits, Policy, SystemResolver};

/// The most bytes that are read of an answer.
const LONGEST: usize = 16 << 20;
/// The timeout of a call.
const PATIENCE: Duration = Duration::from_secs(30);

/// Another sandbox and one of its tenants.
#[derive(Debug)]
pub struct Remote {
    client: Client,
    url: String,
    key: HeaderValue,
    tenant: String,
}

/// Why a call failed.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The key is not a valid header value.
    #[error("the admin key cannot be sent in a header: give visible ASCII to --admin-key")]
    Key,
    /// The sandbox did not answer.
    #[error("no answer from {url} ({}): start the sandbox there, or name another with --url", .failure.word())]
    Unreachable {
        /// The address of the sandbox.
        url: String,
        /// The reason.
        failure: Failure,
    },
    /// The sandbox refused.
    #[error("{url} answered with {status}: {detail}")]
    Refused {
        /// The address of the call.
        url: String,
        /// The status of the answer.
        status: u16,
        /// The detail of the answer.
        detail: String,
    },
}

impl Remote {
    /// The sandbox at this address.
    ///
    /// # Errors
    /// The key is not a valid header value.
    pub fn new(url: &str, key: &str, tenant: &str) -> Result<Self, RemoteError> {
        let mut key = HeaderValue::from_str(key).map_err(|_| RemoteError::Key)?;
        key.set_sensitive(true);
        let limits = Limits {
            answer: LONGEST,
            whole: PATIENCE,
            ..Limits::default()
        };
        Ok(Self {
            client: Client::new(Policy::anywhere(), Arc::new(SystemResolver), limits),
            url: url.trim_end_matches('/').to_owned(),
            key,
            tenant: byte_serialize(tenant.as_bytes()).collect(),
        })
    }

    /// Runs a trigger and returns the answer of the interface.
    pub async fn trigger(&self, event: &str, notify: Option<&str>) -> Result<Value, RemoteError> {
        let mut body = json!({ "event": event });
        if let Some(notify) = notify {
            body["notify"] = notify.into();
        }
        let answer = self.call(Method::POST, "triggers", "", Some(&body)).await?;
        Ok(answer["answer"].clone())
    }

    /// The latest notifications of the tenant, latest first.
    pub(super) async fn notifications(&self) -> Result<Value, RemoteError> {
        let mut listed = self
            .call(Method::GET, "webhooks", "limit=200", None)
            .await?;
        Ok(listed["data"].take())
    }

    /// A notification as its receiver gets it.
    pub(super) async fn signed(&self, id: &str) -> Result<Value, RemoteError> {
        self.call(Method::GET, &format!("webhooks/{id}/signed"), "", None)
            .await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        query: &str,
        body: Option<&Value>,
    ) -> Result<Value, RemoteError> {
        let url = format!(
            "{}/_sandbox/{path}?tenant={}&{query}",
            self.url, self.tenant
        );
        let body = body.map_or_else(Bytes::new, |body| body.to_string().into());
        let mut request = Request::new(body);
        *request.method_mut() = method;
        { request.headers_mut() }.insert(header::AUTHORIZATION, self.key.clone());
        let answer = self.client.send(&url, request).await;
        let answer = answer.map_err(|failure| RemoteError::Unreachable {
            url: self.url.clone(),
            failure,
        })?;
        let body: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
        if answer.status().is_success() {
            return Ok(body);
        }
        Err(RemoteError::Refused {
            url,
            status: answer.status().as_u16(),
            detail: body["detail"]
                .as_str()
                .unwrap_or("no reason was given")
                .to_owned(),
        })
    }
}
