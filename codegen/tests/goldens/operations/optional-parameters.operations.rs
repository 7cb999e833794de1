use serde::{Deserialize, Serialize};

use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /things`
pub static BROWSE: Operation = Operation {
    id: "browse",
    method: "GET",
    path: "/things",
    parameters: &[Parameter::query("limit"), Parameter::query("owner")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `browse`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BrowseParameters {
    /// How many.
    ///
    /// Default: `10`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// `owner`
    pub owner: String,
}

impl Validate for BrowseParameters {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(limit) = &self.limit {
            constraint::minimum(&mut found.member("limit"), limit, &1);
        }
    }
}
