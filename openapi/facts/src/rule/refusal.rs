//! Refusal: the error codes of a refusal.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::kind::Kind;
use super::requires::{Condition, only_where, with_condition};
use crate::mention::Mention;

/// A refusal of an operation carries one of these codes. Several rules about one operation and status add up.
///
/// ```yaml
/// - refusal: {operation: createUser, status: 409, property: code, values: [email_taken]}
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Refusal {
    /// The operation.
    pub operation: String,
    /// The status of the refusal.
    pub status: u16,
    /// The response property with the code, if documented.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// The codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The condition for this refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Condition>,
}

impl Kind for Refusal {
    fn key(&self) -> String {
        let mut key = format!("{}/{}", self.operation, self.status);
        if !self.values.is_empty() {
            key = format!("{key}/{}", self.values.join("+"));
        }
        with_condition(key, self.condition.as_ref())
    }

    fn owner(&self) -> &str {
        &self.operation
    }

    fn owner_mut(&mut self) -> &mut String {
        &mut self.operation
    }

    fn mentions(&self) -> Vec<Mention<'_>> {
        let owner = self.operation.as_str();
        let condition = self.condition.as_ref().map(|one| one.name.as_str());
        let named = [self.property.as_deref(), condition].into_iter().flatten();
        let named = named.map(|path| Mention::Property { owner, path });
        [Mention::Operation(owner)]
            .into_iter()
            .chain(named)
            .collect()
    }

    fn flaw(&self) -> Option<&'static str> {
        if !(400..=599).contains(&self.status) {
            return Some("the `status` of a refusal is 400 to 599");
        }
        let is_empty = self.values.is_empty() && self.condition.is_none();
        is_empty.then_some("`values` or `condition` is needed")
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is refused with {}", self.operation, self.status)?;
        if !self.values.is_empty() {
            let property = self.property.as_ref();
            let property = property.map_or("the code".to_owned(), |name| format!("`{name}`"));
            write!(f, " and {property} {}", self.values.join(" or "))?;
        }
        only_where(f, self.condition.as_ref())
    }
}
