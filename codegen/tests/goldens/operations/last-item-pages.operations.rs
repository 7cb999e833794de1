use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /charges`
pub static LIST_CHARGES: Operation = Operation {
    id: "listCharges",
    method: "GET",
    path: "/charges",
    parameters: &[Parameter::query("starting_after")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `listCharges`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListChargesParameters {
    /// `starting_after`
    pub starting_after: Option<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ListChargesParameters: Ignored {
        0 "starting_after" => starting_after optional,
    }
}

impl Validate for ListChargesParameters {}
