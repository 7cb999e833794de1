//! Server stubs of the area `files`.

use std::future::ready;
use std::sync::Arc;

use crate::models::{FileNote, FileRecord, FileUpload, Problem};
use crate::operations::files::{
    ADD_NOTE, ADD_NOTE_FORM, AddNoteBody, AddNoteParameters, DELETE_FILE, DOWNLOAD_FILE,
    DeleteFileParameters, DownloadFileParameters, REPLACE_FILE, ReplaceFileParameters, UPLOAD_FILE,
    WATCH_FILES,
};
use crate::runtime::server::{Call, Context, EventStream, Refusal, Reply, Routes};
use crate::runtime::{Answer, ByteStream};

/// Files.
pub trait Files: Send + Sync + 'static {
    /// Keeps a file.
    ///
    /// `POST /files`
    fn upload_file(
        &self,
        context: Context,
        body: FileUpload,
    ) -> impl Future<Output = UploadFileResponse> + Send {
        let _ = body;
        ready(UploadFileResponse::Other(context.not_implemented()))
    }

    /// Gives a file back.
    ///
    /// `GET /files/{id}.bin`
    fn download_file(
        &self,
        context: Context,
        parameters: DownloadFileParameters,
    ) -> impl Future<Output = DownloadFileResponse> + Send {
        let _ = parameters;
        ready(DownloadFileResponse::Other(context.not_implemented()))
    }

    /// Replaces what is in a file.
    ///
    /// `PUT /files/{id}/content`
    fn replace_file(
        &self,
        context: Context,
        parameters: ReplaceFileParameters,
        body: ByteStream,
    ) -> impl Future<Output = ReplaceFileResponse> + Send {
        let _ = (parameters, body);
        ready(ReplaceFileResponse::Other(context.not_implemented()))
    }

    /// Tells of files as they change.
    ///
    /// `GET /files/events`
    fn watch_files(&self, context: Context) -> impl Future<Output = WatchFilesResponse> + Send {
        ready(WatchFilesResponse::Other(context.not_implemented()))
    }

    /// Deletes a file.
    ///
    /// `DELETE /files/{id}`
    fn delete_file(
        &self,
        context: Context,
        parameters: DeleteFileParameters,
    ) -> impl Future<Output = DeleteFileResponse> + Send {
        let _ = parameters;
        ready(DeleteFileResponse::Other(context.not_implemented()))
    }

    /// Says something about a file.
    ///
    /// `POST /files/{id}/notes`
    fn add_note(
        &self,
        context: Context,
        parameters: AddNoteParameters,
        body: AddNoteBody,
    ) -> impl Future<Output = AddNoteResponse> + Send {
        let _ = (parameters, body);
        ready(AddNoteResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: Files>(implementation: &Arc<T>) -> Routes {
    Routes::new()
        .operation(&UPLOAD_FILE, implementation, upload_file)
        .operation(&DOWNLOAD_FILE, implementation, download_file)
        .streaming(
            &["application/octet-stream"],
            &REPLACE_FILE,
            implementation,
            replace_file,
        )
        .operation(&WATCH_FILES, implementation, watch_files)
        .operation(&DELETE_FILE, implementation, delete_file)
        .operation(&ADD_NOTE, implementation, add_note)
}

/// A router of the area.
pub fn router<T: Files>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `uploadFile`.
#[derive(Clone, Debug)]
pub enum UploadFileResponse {
    /// 200: the record.
    Ok(FileRecord),
    /// Any other status.
    Default(u16, Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<UploadFileResponse> for Answer {
    fn from(response: UploadFileResponse) -> Self {
        match response {
            UploadFileResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            UploadFileResponse::Default(status, ref body) => {
                Answer::json(status, "application/problem+json", body)
            }
            UploadFileResponse::Other(answer) => answer,
        }
    }
}

async fn upload_file<T: Files>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parts = call.multipart().await?;
    let body = FileUpload::from_parts(parts).map_err(|error| call.refuse(error))?;
    call.check(&body);
    let context = call.finish()?;
    Ok(implementation.upload_file(context, body).await.into())
}

/// The answers of `downloadFile`.
#[derive(Debug)]
pub enum DownloadFileResponse {
    /// 200: the file.
    Ok(ByteStream),
    /// 404: the file is unknown.
    NotFound(String),
    /// Any other answer.
    Other(Answer),
}

impl From<DownloadFileResponse> for Reply {
    fn from(response: DownloadFileResponse) -> Self {
        match response {
            DownloadFileResponse::Ok(body) => Reply::stream(200, "application/octet-stream", body),
            DownloadFileResponse::NotFound(body) => Answer::bytes(404, "text/plain", body).into(),
            DownloadFileResponse::Other(answer) => answer.into(),
        }
    }
}

async fn download_file<T: Files>(implementation: Arc<T>, mut call: Call) -> Result<Reply, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation
        .download_file(context, parameters)
        .await
        .into())
}

/// The answers of `replaceFile`.
#[derive(Clone, Debug)]
pub enum ReplaceFileResponse {
    /// 200: the record.
    Ok(FileRecord),
    /// Any other status.
    Default(u16, Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<ReplaceFileResponse> for Answer {
    fn from(response: ReplaceFileResponse) -> Self {
        match response {
            ReplaceFileResponse::Ok(ref body) => Answer::json(200, "application/json", body),
            ReplaceFileResponse::Default(status, ref body) => {
                Answer::json(status, "application/problem+json", body)
            }
            ReplaceFileResponse::Other(answer) => answer,
        }
    }
}

async fn replace_file<T: Files>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let body = call.stream("application/octet-stream")?;
    let context = call.finish()?;
    Ok(implementation
        .replace_file(context, parameters, body)
        .await
        .into())
}

/// The answers of `watchFiles`.
#[derive(Debug)]
pub enum WatchFilesResponse {
    /// 200: the changes.
    Ok(EventStream<FileRecord>),
    /// Any other answer.
    Other(Answer),
}

impl From<WatchFilesResponse> for Reply {
    fn from(response: WatchFilesResponse) -> Self {
        match response {
            WatchFilesResponse::Ok(body) => Reply::events(200, body),
            WatchFilesResponse::Other(answer) => answer.into(),
        }
    }
}

async fn watch_files<T: Files>(implementation: Arc<T>, call: Call) -> Result<Reply, Refusal> {
    let context = call.finish()?;
    Ok(implementation.watch_files(context).await.into())
}

/// The answers of `deleteFile`.
#[derive(Clone, Debug)]
pub enum DeleteFileResponse {
    /// 202: it will be deleted.
    Accepted(FileRecord),
    /// 204: it is deleted.
    NoContent,
    /// 4XX: it cannot be deleted.
    ClientError(u16, Problem),
    /// Any other answer.
    Other(Answer),
}

impl From<DeleteFileResponse> for Answer {
    fn from(response: DeleteFileResponse) -> Self {
        match response {
            DeleteFileResponse::Accepted(ref body) => Answer::json(202, "application/json", body),
            DeleteFileResponse::NoContent => Answer::empty(204),
            DeleteFileResponse::ClientError(status, ref body) => {
                Answer::json(status, "application/problem+json", body)
            }
            DeleteFileResponse::Other(answer) => answer,
        }
    }
}

async fn delete_file<T: Files>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let context = call.finish()?;
    Ok(implementation.delete_file(context, parameters).await.into())
}

/// The answers of `addNote`.
#[derive(Clone, Debug)]
pub enum AddNoteResponse {
    /// 200, `application/json`: the note.
    Json(FileNote),
    /// 200, `text/plain`: the note.
    Text(String),
    /// Any other answer.
    Other(Answer),
}

impl From<AddNoteResponse> for Answer {
    fn from(response: AddNoteResponse) -> Self {
        match response {
            AddNoteResponse::Json(ref body) => Answer::json(200, "application/json", body),
            AddNoteResponse::Text(body) => Answer::bytes(200, "text/plain", body),
            AddNoteResponse::Other(answer) => answer,
        }
    }
}

async fn add_note<T: Files>(implementation: Arc<T>, mut call: Call) -> Result<Answer, Refusal> {
    let parameters = call.parameters()?;
    let body = if call.is("application/json") {
        AddNoteBody::Json(call.json("application/json")?)
    } else if call.is("application/x-www-form-urlencoded") {
        AddNoteBody::Form(call.form(ADD_NOTE_FORM)?)
    } else if call.is("text/plain") {
        AddNoteBody::Text(call.text("text/plain")?)
    } else {
        return Err(call.unsupported(&[
            "application/json",
            "application/x-www-form-urlencoded",
            "text/plain",
        ]));
    };
    let context = call.finish()?;
    Ok(implementation
        .add_note(context, parameters, body)
        .await
        .into())
}
