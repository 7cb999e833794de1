//! Operations of the area `files`.

use serde::{Deserialize, Serialize};

use super::SESSION;
use crate::models::{FileNote, Purpose};
use crate::runtime::constraint::Validate;
use crate::runtime::parameter::Style;
use crate::runtime::{JsonText, Operation, Parameter, Repeat};

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
        Parameter::path("id").list().style(Style::Label, false),
        Parameter::query("purpose"),
        Parameter::query("filter"),
        Parameter::cookie("trace"),
    ],
    security: &[&[SESSION], &[]],
    request_id: None,
    repeat: Repeat::Idempotent,
};

/// Parameters of `downloadFile`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DownloadFileParameters {
    /// The parts of the file's id.
    pub id: Vec<String>,
    /// Only when the file is for this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// Only when it has this note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<JsonText<FileNote>>,
    /// A mark for the logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReplaceFileParameters {
    /// The file's id.
    pub id: String,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeleteFileParameters {
    /// The file's id.
    pub id: String,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AddNoteParameters {
    /// The file's id.
    pub id: String,
    /// Makes a repetition harmless.
    #[serde(
        default,
        rename = "Idempotency-Key",
        skip_serializing_if = "Option::is_none"
    )]
    pub idempotency_key: Option<String>,
}

impl Validate for AddNoteParameters {}

/// The fields of the form that `addNote` takes which have a style of their own.
pub static ADD_NOTE_FORM: &[Parameter] = &[Parameter::query("author")
    .map()
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
