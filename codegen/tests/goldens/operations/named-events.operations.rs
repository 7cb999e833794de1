use crate::runtime::{Operation, Repeat};

/// `GET /changes`
pub static CHANGES: Operation = Operation {
    id: "changes",
    method: "GET",
    path: "/changes",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};
