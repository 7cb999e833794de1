use crate::runtime::{Operation, Repeat};

/// `GET /v2/droplets`
pub static LIST_DROPLETS: Operation = Operation {
    id: "listDroplets",
    method: "GET",
    path: "/v2/droplets",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
