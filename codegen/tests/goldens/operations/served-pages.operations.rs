use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /header`
pub static BY_HEADER: Operation = Operation {
    id: "byHeader",
    method: "GET",
    path: "/header",
    parameters: &[Parameter::query("from")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `byHeader`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ByHeaderParameters {
    /// `from`
    pub from: Option<i64>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ByHeaderParameters: Ignored {
        0 "from" => from optional,
    }
}

impl Validate for ByHeaderParameters {}
