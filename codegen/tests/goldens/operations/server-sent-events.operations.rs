use crate::runtime::{Operation, Repeat};

/// `GET /ticks`
pub static TICKS: Operation = Operation {
    id: "ticks",
    method: "GET",
    path: "/ticks",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
