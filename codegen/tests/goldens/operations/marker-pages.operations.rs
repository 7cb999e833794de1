use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `GET /webhooks`
pub static LIST_WEBHOOKS: Operation = Operation {
    id: "listWebhooks",
    method: "GET",
    path: "/webhooks",
    parameters: &[Parameter::query("marker")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `listWebhooks`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListWebhooksParameters {
    /// `marker`
    pub marker: Option<String>,
}

#[cfg(any(feature = "client", feature = "server"))]
use crate::runtime::object;

crate::parameters! {
    ListWebhooksParameters: Ignored {
        0 "marker" => marker optional,
    }
}

impl Validate for ListWebhooksParameters {}
