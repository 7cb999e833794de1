//! Calls of the control interface of a sandbox.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Request, header};
use serde_json::{Value, json};
use url::form_urlencoded::byte_serialize;

use crate::domain::notification::Failure;
use crate::egress::{Client, Limits, Policy, SystemResolver};

/// How much is read of an answer.
const LONGEST: usize = 16 << 20;
/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A sandbox that is somewhere else, and one of its tenants.
#[derive(Debug)]
pub struct Remote {
    client: Client,
    url: String,
    key: HeaderValue,
    tenant: String,
}

/// Why a sandbox has not done what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The key cannot be sent.
    #[error("the admin key is no value of a header: give visible ASCII to --admin-key")]
    Key,
    /// It was not reached.
    #[error("no answer from {url} ({}): start the sandbox there, or name another with --url", .failure.word())]
    Unreachable {
        /// Where it should be.
        url: String,
        /// What happened instead.
        failure: Failure,
    },
    /// It refused.
    #[error("{url} answered with {status}: {detail}")]
    Refused {
        /// What was asked for.
        url: String,
        /// The status of the answer.
        status: u16,
        /// What the answer says.
        detail: String,
    },
}

impl Remote {
    /// The sandbox at this address.
    ///
    /// # Errors
    /// The key cannot be the value of a header.
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

    /// Makes an event happen, and gives the answer of the interface.
    pub async fn trigger(&self, event: &str, notify: Option<&str>) -> Result<Value, RemoteError> {
        let mut body = json!({ "event": event });
        if let Some(notify) = notify {
            body["notify"] = notify.into();
        }
        let answer = self.call(Method::POST, "triggers", "", Some(&body)).await?;
        Ok(answer["answer"].clone())
    }

    /// The latest notifications of the tenant, the latest first.
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
