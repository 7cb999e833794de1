use crate::runtime::{Operation, Repeat};

/// `POST /shrink`
pub static SHRINK: Operation = Operation {
    id: "shrink",
    method: "POST",
    path: "/shrink",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};
