//! Forwards notifications of a sandbox to another address.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use super::control::{Remote, RemoteError};
use crate::domain::notification::Reply;
use crate::egress::{Client, Limits, Policy, SystemResolver};

/// Forwards each new notification once.
#[derive(Debug)]
pub struct Forwarder {
    remote: Remote,
    client: Client,
    to: String,
    seen: BTreeSet<String>,
}

/// A forwarded notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forwarded {
    /// Its id.
    pub id: String,
    /// The name of the event.
    pub event: String,
    /// The answer of the receiver.
    pub reply: Reply,
}

impl Forwarder {
    /// Starts after the notifications that exist now.
    pub async fn new(remote: Remote, to: &str) -> Result<Self, RemoteError> {
        let present = remote.notifications().await?;
        let seen = listed(&present).map(|(id, _)| id.to_owned()).collect();
        let limits = Limits::default();
        Ok(Self {
            remote,
            client: Client::new(Policy::anywhere(), Arc::new(SystemResolver), limits),
            to: to.to_owned(),
            seen,
        })
    }

    /// Forwards the notifications since the last call, oldest first.
    pub async fn forward(&mut self) -> Result<Vec<Forwarded>, RemoteError> {
        let present = self.remote.notifications().await?;
        let new: Vec<_> = listed(&present)
            .filter(|(id, _)| !self.seen.contains(*id))
            .map(|(id, event)| (id.to_owned(), event.to_owned()))
            .collect();
        let mut forwarded = Vec::new();
        for (id, event) in new.into_iter().rev() {
            let reply = self.pass_on(&id).await?;
            self.seen.insert(id.clone());
            forwarded.push(Forwarded { id, event, reply });
        }
        Ok(forwarded)
    }

    async fn pass_on(&self, id: &str) -> Result<Reply, RemoteError> {
        let signed = self.remote.signed(id).await?;
        let mut headers = HeaderMap::new();
        for (name, value) in signed["headers"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap_or_default();
            if let (Ok(name), Ok(value)) =
                (name.parse::<HeaderName>(), HeaderValue::from_str(value))
            {
                headers.insert(name, value);
            }
        }
        let body = signed["body"].as_str().unwrap_or_default().to_owned();
        Ok(self.client.post(&self.to, headers, body.into()).await)
    }
}

/// The ids and event names of notifications.
fn listed(notifications: &Value) -> impl Iterator<Item = (&str, &str)> {
    let all = notifications.as_array().into_iter().flatten();
    all.filter_map(|one| Some((one["id"].as_str()?, one["type"].as_str()?)))
}
