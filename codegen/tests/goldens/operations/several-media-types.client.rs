use std::convert::Infallible;
use std::sync::Arc;

use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// The operations of `several-media-types`.
#[derive(Clone, Debug)]
pub struct SeveralMediaTypes {
    connection: Arc<Connection>,
}

impl SeveralMediaTypes {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// The operation `note`.
    ///
    /// `PUT /notes`
    pub fn note(&self, body: operations::several_media_types::NoteBody) -> Request<Note> {
        let request = Request::new(&self.connection, ());
        match body {
            operations::several_media_types::NoteBody::Json(body) => {
                request.json("application/json", &body)
            }
            operations::several_media_types::NoteBody::Form(body) => request.form(&body, &[]),
            operations::several_media_types::NoteBody::Text(body) => {
                request.bytes("text/plain", body)
            }
            operations::several_media_types::NoteBody::Bytes(body) => {
                request.bytes("application/octet-stream", body)
            }
        }
    }
}
