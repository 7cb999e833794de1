use crate::models;
use crate::runtime::{ByteStream, Operation, Repeat};

/// `PUT /notes`
pub static NOTE: Operation = Operation {
    id: "note",
    method: "PUT",
    path: "/notes",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// The bodies that `note` takes.
#[derive(Debug)]
pub enum NoteBody {
    /// `application/json`
    Json(models::Note),
    /// `application/x-www-form-urlencoded`
    Form(models::Note),
    /// `text/plain`
    Text(String),
    /// `application/octet-stream`
    Bytes(ByteStream),
}
