//! Async: a record changes its state by itself after an operation.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use crate::duration::Duration;
use crate::mention::Mention;

/// A record changes its state by itself after an operation.
///
/// ```yaml
/// - async: {operation: startExport, property: status, reaches: [DONE, FAILED], within: PT60S}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Async {
    /// The operation that starts the process.
    pub operation: String,
    /// The property that changes, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The possible final values.
    pub reaches: Vec<String>,
    /// The maximum duration, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<Duration>,
}

impl Kind for Async {
    fn key(&self) -> String {
        let property = self.property.as_ref();
        let property = property.map(|name| format!("/{name}"));
        format!("{}{}", self.operation, property.unwrap_or_default())
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.operation.as_str();
        let property = self.property.as_deref();
        let property = property.map(|path| Mention::Property { owner, path });
        [Mention::Operation(owner)]
            .into_iter()
            .chain(property)
            .collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        (self.reaches.is_empty()).then_some("`reaches` needs a value")
    }
}

impl fmt::Display for Async {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let property = self.property.as_ref();
        let property = property.map_or("the state".to_owned(), |name| format!("`{name}`"));
        let values = self.reaches.join(" or ");
        write!(f, "after {} {property} becomes {values}", self.operation)?;
        match &self.within {
            Some(within) => write!(f, " within {within}"),
            None => Ok(()),
        }
    }
}
