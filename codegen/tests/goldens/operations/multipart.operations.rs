use crate::runtime::{Operation, Repeat};

/// `POST /files`
pub static UPLOAD: Operation = Operation {
    id: "upload",
    method: "POST",
    path: "/files",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};
