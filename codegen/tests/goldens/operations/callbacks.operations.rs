use serde::{Deserialize, Serialize};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShippedParameters {
    /// `webhook-id`
    #[serde(rename = "webhook-id")]
    pub webhook_id: String,
}

impl Validate for ShippedParameters {}
