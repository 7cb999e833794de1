//! Access: only some callers may use an operation.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kind::{Kind, refused};
use crate::mention::Mention;

/// Only some callers may use an operation; others are refused.
///
/// ```yaml
/// - access: {operation: getOrder, only: owner, status: 404}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Access {
    /// The operation.
    pub operation: String,
    /// The callers that may use it.
    pub only: Callers,
    /// The status of the refusal of other callers, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

/// Callers that may use an operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Value", into = "Value")]
pub enum Callers {
    /// The caller that created or owns the record.
    Owner,
    /// Callers with one of these scopes or roles.
    Scopes(Vec<String>),
}

impl TryFrom<Value> for Callers {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, Self::Error> {
        if value.as_str() == Some("owner") {
            return Ok(Self::Owner);
        }
        let items = value.as_array().into_iter().flatten();
        let scopes = items.map(|item| item.as_str().map(str::to_owned));
        let scopes: Option<Vec<String>> = scopes.collect();
        let scopes = scopes.filter(|scopes| !scopes.is_empty());
        scopes
            .map(Self::Scopes)
            .ok_or_else(|| format!("expected `owner` or a list of scopes, got {value}"))
    }
}

impl From<Callers> for Value {
    fn from(callers: Callers) -> Self {
        match callers {
            Callers::Owner => "owner".into(),
            Callers::Scopes(scopes) => scopes.into(),
        }
    }
}

impl Kind for Access {
    fn key(&self) -> String {
        match &self.only {
            Callers::Owner => format!("{}/owner", self.operation),
            Callers::Scopes(_) => format!("{}/scopes", self.operation),
        }
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn status_mut(&mut self) -> Option<&mut Option<u16>> {
        Some(&mut self.status)
    }

    fn is_limit(&self) -> bool {
        true
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        vec![Mention::Operation(&self.operation)]
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.only {
            Callers::Owner => write!(
                f,
                "only the owner of the record may call {}",
                self.operation
            )?,
            Callers::Scopes(scopes) => {
                let scopes = scopes.join(" or ");
                write!(f, "only callers with {scopes} may call {}", self.operation)?;
            }
        }
        refused(f, "another caller", self.status)
    }
}
