//! Client of the area `files`.

use std::convert::Infallible;
use std::sync::Arc;

use crate::models::{FileNote, FileRecord, FileUpload, Problem, Purpose};
use crate::operations::files::{
    ADD_NOTE, ADD_NOTE_FORM, AddNoteBody, AddNoteParameters, DELETE_FILE, DOWNLOAD_FILE,
    DeleteFileParameters, DownloadFileParameters, REPLACE_FILE, ReplaceFileParameters, UPLOAD_FILE,
    WATCH_FILES,
};
use crate::runtime;
use crate::runtime::client::{
    Connection, Endpoint, Events, Explain, Incoming, Outcome, Request, Streamed,
};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, ByteStream, Bytes, Event, JsonText, Operation};

/// Files.
#[derive(Clone, Debug)]
pub struct Files {
    connection: Arc<Connection>,
}

impl Files {
    pub(super) fn new(connection: &Arc<Connection>) -> Self {
        Self {
            connection: Arc::clone(connection),
        }
    }

    /// Keeps a file.
    ///
    /// `POST /files`
    pub fn upload_file(&self, body: &FileUpload) -> Request<UploadFile> {
        Request::new(&self.connection, ())
            .check(body)
            .multipart(body.to_parts())
    }

    /// Gives a file back.
    ///
    /// `GET /files/{id}.bin`
    pub fn download_file(&self, id: Vec<String>) -> Request<DownloadFile> {
        let parameters = DownloadFileParameters {
            id,
            purpose: None,
            filter: None,
            trace: None,
        };
        Request::new(&self.connection, parameters)
    }

    /// Replaces what is in a file.
    ///
    /// `PUT /files/{id}/content`
    pub fn replace_file(
        &self,
        id: impl Into<String>,
        body: impl Into<ByteStream>,
    ) -> Request<ReplaceFile> {
        Request::new(&self.connection, ReplaceFileParameters { id: id.into() })
            .bytes("application/octet-stream", body)
    }

    /// Tells of files as they change.
    ///
    /// `GET /files/events`
    pub fn watch_files(&self) -> Request<WatchFiles> {
        Request::new(&self.connection, ())
    }

    /// Deletes a file.
    ///
    /// `DELETE /files/{id}`
    pub fn delete_file(&self, id: impl Into<String>) -> Request<DeleteFile> {
        Request::new(&self.connection, DeleteFileParameters { id: id.into() })
    }

    /// Says something about a file.
    ///
    /// `POST /files/{id}/notes`
    pub fn add_note(&self, id: impl Into<String>, body: &AddNoteBody) -> Request<AddNote> {
        let parameters = AddNoteParameters {
            id: id.into(),
            idempotency_key: None,
        };
        let request = Request::new(&self.connection, parameters);
        match body {
            AddNoteBody::Json(body) => request.json("application/json", body),
            AddNoteBody::Form(body) => request.form(body, ADD_NOTE_FORM),
            AddNoteBody::Text(body) => request.bytes("text/plain", body.clone()),
        }
    }
}

/// The operation `uploadFile`.
#[derive(Clone, Copy, Debug)]
pub struct UploadFile;

/// The documented refusals of `uploadFile`.
#[derive(Clone, Debug, PartialEq)]
pub enum UploadFileError {
    /// Any other status.
    Default(Problem),
}

impl Explain for UploadFileError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::Default(body) => body.problem(),
        }
    }
}

impl Endpoint for UploadFile {
    type Parameters = ();
    type Success = FileRecord;
    type Error = UploadFileError;

    const OPERATION: &'static Operation = &UPLOAD_FILE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Refused(UploadFileError::Default(answer.read_json()?)),
        })
    }
}

/// The operation `downloadFile`.
#[derive(Clone, Copy, Debug)]
pub struct DownloadFile;

impl Request<DownloadFile> {
    /// Only when the file is for this.
    pub fn purpose(mut self, purpose: Purpose) -> Self {
        self.parameters_mut().purpose = Some(purpose);
        self
    }

    /// Only when it has this note.
    pub fn filter(mut self, filter: FileNote) -> Self {
        self.parameters_mut().filter = Some(JsonText(filter));
        self
    }

    /// A mark for the logs.
    pub fn trace(mut self, trace: impl Into<String>) -> Self {
        self.parameters_mut().trace = Some(trace.into());
        self
    }
}

/// The documented refusals of `downloadFile`.
#[derive(Clone, Debug, PartialEq)]
pub enum DownloadFileError {
    /// 404: the file is unknown.
    NotFound(String),
}

impl Explain for DownloadFileError {}

impl Endpoint for DownloadFile {
    type Parameters = DownloadFileParameters;
    type Success = Bytes;
    type Error = DownloadFileError;

    const OPERATION: &'static Operation = &DOWNLOAD_FILE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.body.clone()),
            404 => Outcome::Refused(DownloadFileError::NotFound(answer.read_text()?)),
            _ => Outcome::Undocumented,
        })
    }
}

impl Streamed for DownloadFile {
    type Stream = ByteStream;

    fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming> {
        Ok(match answer.status.as_u16() {
            200 => body.bytes(),
            _ => return Err(body),
        })
    }

    fn whole(success: Self::Success) -> Self::Stream {
        success.into()
    }
}

/// The operation `replaceFile`.
#[derive(Clone, Copy, Debug)]
pub struct ReplaceFile;

/// The documented refusals of `replaceFile`.
#[derive(Clone, Debug, PartialEq)]
pub enum ReplaceFileError {
    /// Any other status.
    Default(Problem),
}

impl Explain for ReplaceFileError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::Default(body) => body.problem(),
        }
    }
}

impl Endpoint for ReplaceFile {
    type Parameters = ReplaceFileParameters;
    type Success = FileRecord;
    type Error = ReplaceFileError;

    const OPERATION: &'static Operation = &REPLACE_FILE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_json()?),
            _ => Outcome::Refused(ReplaceFileError::Default(answer.read_json()?)),
        })
    }
}

/// The operation `watchFiles`.
#[derive(Clone, Copy, Debug)]
pub struct WatchFiles;

impl Endpoint for WatchFiles {
    type Parameters = ();
    type Success = Vec<Event<FileRecord>>;
    type Error = Infallible;

    const OPERATION: &'static Operation = &WATCH_FILES;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 => Outcome::Success(answer.read_events()?),
            _ => Outcome::Undocumented,
        })
    }
}

impl Streamed for WatchFiles {
    type Stream = Events<FileRecord>;

    fn open(answer: &Answer, body: Incoming) -> Result<Self::Stream, Incoming> {
        Ok(match answer.status.as_u16() {
            200 => body.events(),
            _ => return Err(body),
        })
    }

    fn whole(success: Self::Success) -> Self::Stream {
        success.into()
    }
}

/// The operation `deleteFile`.
#[derive(Clone, Copy, Debug)]
pub struct DeleteFile;

/// The documented successes of `deleteFile`.
#[derive(Clone, Debug, PartialEq)]
pub enum DeleteFileSuccess {
    /// 202: it will be deleted.
    Accepted(FileRecord),
    /// 204: it is deleted.
    NoContent,
}

/// The documented refusals of `deleteFile`.
#[derive(Clone, Debug, PartialEq)]
pub enum DeleteFileError {
    /// 4XX: it cannot be deleted.
    ClientError(Problem),
}

impl Explain for DeleteFileError {
    fn problem(&self) -> Option<runtime::client::Problem<'_>> {
        match self {
            Self::ClientError(body) => body.problem(),
        }
    }
}

impl Endpoint for DeleteFile {
    type Parameters = DeleteFileParameters;
    type Success = DeleteFileSuccess;
    type Error = DeleteFileError;

    const OPERATION: &'static Operation = &DELETE_FILE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            202 => Outcome::Success(DeleteFileSuccess::Accepted(answer.read_json()?)),
            204 => Outcome::Success(DeleteFileSuccess::NoContent),
            400..=499 => Outcome::Refused(DeleteFileError::ClientError(answer.read_json()?)),
            _ => Outcome::Undocumented,
        })
    }
}

/// The operation `addNote`.
#[derive(Clone, Copy, Debug)]
pub struct AddNote;

impl Request<AddNote> {
    /// Makes a repetition harmless.
    pub fn idempotency_key(mut self, idempotency_key: impl Into<String>) -> Self {
        self.parameters_mut().idempotency_key = Some(idempotency_key.into());
        self
    }
}

/// The answers of `addNote` that are no success; none is documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddNoteError {}

impl Explain for AddNoteError {}

impl Endpoint for AddNote {
    type Parameters = AddNoteParameters;
    type Success = AddNoteSuccess;
    type Error = AddNoteError;

    const OPERATION: &'static Operation = &ADD_NOTE;

    fn decode(answer: &Answer) -> Result<Outcome<Self::Success, Self::Error>, Unreadable> {
        Ok(match answer.status.as_u16() {
            200 if answer.is("application/json") => {
                Outcome::Success(AddNoteSuccess::Json(answer.read_json()?))
            }
            200 if answer.is("text/plain") => {
                Outcome::Success(AddNoteSuccess::Text(answer.read_text()?))
            }
            _ => Outcome::Undocumented,
        })
    }
}

/// The documented successes of `addNote`.
#[derive(Clone, Debug, PartialEq)]
pub enum AddNoteSuccess {
    /// 200, `application/json`: the note.
    Json(FileNote),
    /// 200, `text/plain`: the note.
    Text(String),
}
