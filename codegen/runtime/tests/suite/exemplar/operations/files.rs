//! Operations of the area `files`.

use super::SESSION;
use crate::models::{FileNote, Purpose};
use crate::runtime::constraint::Validate;
use crate::runtime::parameter::{Shape, Style};
use crate::runtime::{JsonText, Operation, Parameter, Repeat, object};

/// `POST /files`
pub static UPLOAD_FILE: Operation = Operation {
    id: "uploadFile",
    method: "POST",
    path: "/files",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Never,
};

/// `GET /files/{id}.bin`
pub static DOWNLOAD_FILE: Operation = Operation {
    id: "downloadFile",
    method: "GET",
    path: "/files/{id}.bin",
    parameters: &[
        Parameter::path("id")
            .shape(Shape::List)
            .style(Style::Label, false),
        Parameter::query("purpose"),
        Parameter::query("filter"),
        Parameter::cookie("trace"),
    ],
    security: &[&[], &[SESSION.scopes(&["files:read"])]],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `downloadFile`.
#[derive(Clone, Debug, PartialEq)]
pub struct DownloadFileParameters {
    /// The parts of the file's id.
    pub id: Vec<String>,
    /// Only when the file is for this.
    pub purpose: Option<Purpose>,
    /// Only when it has this note.
    pub filter: Option<JsonText<FileNote>>,
    /// A mark for the logs.
    pub trace: Option<String>,
}

crate::parameters! {
    DownloadFileParameters: Ignored {
        0 "id" => id required,
        1 "purpose" => purpose optional,
        2 "filter" => filter optional,
        3 "trace" => trace optional,
    }
}

impl Validate for DownloadFileParameters {}

/// `PUT /files/{id}/content`
pub static REPLACE_FILE: Operation = Operation {
    id: "replaceFile",
    method: "PUT",
    path: "/files/{id}/content",
    parameters: &[Parameter::path("id")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `replaceFile`.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplaceFileParameters {
    /// The file's id.
    pub id: String,
}

crate::parameters! {
    ReplaceFileParameters: Ignored {
        0 "id" => id required,
    }
}

impl Validate for ReplaceFileParameters {}

/// `GET /files/events`
pub static WATCH_FILES: Operation = Operation {
    id: "watchFiles",
    method: "GET",
    path: "/files/events",
    parameters: &[],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// `DELETE /files/{id}`
pub static DELETE_FILE: Operation = Operation {
    id: "deleteFile",
    method: "DELETE",
    path: "/files/{id}",
    parameters: &[Parameter::path("id")],
    security: &[],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `deleteFile`.
#[derive(Clone, Debug, PartialEq)]
pub struct DeleteFileParameters {
    /// The file's id.
    pub id: String,
}

crate::parameters! {
    DeleteFileParameters: Ignored {
        0 "id" => id required,
    }
}

impl Validate for DeleteFileParameters {}

/// `POST /files/{id}/notes`
pub static ADD_NOTE: Operation = Operation {
    id: "addNote",
    method: "POST",
    path: "/files/{id}/notes",
    parameters: &[Parameter::path("id"), Parameter::header("Idempotency-Key")],
    security: &[],
    request_id: None,
    repeat: Repeat::Keyed("idempotency-key"),
};

/// Parameters of `addNote`.
#[derive(Clone, Debug, PartialEq)]
pub struct AddNoteParameters {
    /// The file's id.
    pub id: String,
    /// Makes a repetition harmless.
    pub idempotency_key: Option<String>,
}

crate::parameters! {
    AddNoteParameters: Ignored {
        0 "id" => id required,
        1 "Idempotency-Key" => idempotency_key optional,
    }
}

impl Validate for AddNoteParameters {}

/// The fields of the form that `addNote` takes which have a style of their own.
pub static ADD_NOTE_FORM: &[Parameter] = &[Parameter::query("author")
    .shape(Shape::Map)
    .style(Style::DeepObject, true)];

/// The bodies that `addNote` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum AddNoteBody {
    /// `application/json`
    Json(FileNote),
    /// `application/x-www-form-urlencoded`
    Form(FileNote),
    /// `text/plain`
    Text(String),
}
