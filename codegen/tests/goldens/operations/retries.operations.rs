use crate::runtime::constraint::Validate;
use crate::runtime::{Operation, Parameter, Repeat};

/// `PUT /things`
pub static REPLACE: Operation = Operation {
    id: "replace",
    method: "PUT",
    path: "/things",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// `POST /things`
pub static ADD: Operation = Operation {
    id: "add",
    method: "POST",
    path: "/things",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

/// `POST /things/harmless`
pub static COUNT: Operation = Operation {
    id: "count",
    method: "POST",
    path: "/things/harmless",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
