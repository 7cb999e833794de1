use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `POST {$request.body#/tell}`
pub static SHIPPED: Operation = Operation {
    id: "shipped",
    method: "POST",
    path: "{$request.body#/tell}",
    parameters: &[Parameter::header("webhook-id")],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

/// Parameters of `shipped`.
#[derive(Clone, Debug, PartialEq)]
pub struct ShippedParameters {
    /// `webhook-id`
    pub webhook_id: String,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ShippedParameters: Ignored {
        0 "webhook-id" => webhook_id required,
    }
}

impl Validate for ShippedParameters {}
