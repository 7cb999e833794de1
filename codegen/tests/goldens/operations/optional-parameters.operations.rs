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
#[derive(Clone, Debug, PartialEq)]
pub struct BrowseParameters {
    /// How many.
    ///
    /// Default: `10`.
    pub limit: Option<i64>,
    /// `owner`
    pub owner: String,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    BrowseParameters: Ignored {
        0 "limit" => limit optional,
        1 "owner" => owner required,
    }
}
