//! An implementation of the slice, and ways to reach it.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use super::pieces::{self, DOWNLOADED, UPLOADED};
use crate::client::{Client, Settings};
use crate::models::{
    FileRecord, FileUpload, PaymentLink, PaymentLinkAmount, PaymentLinkList, Problem,
    PurchaseRequest, Transaction,
};
use crate::operations::files::{
    AddNoteBody, AddNoteParameters, DeleteFileParameters, DownloadFileParameters,
    ReplaceFileParameters,
};
use crate::operations::payment_links::ListPaymentLinksParameters;
use crate::operations::transactions::{CreatePurchaseCreatedHeaders, GetTransactionParameters};
use crate::runtime::server::EventStream;
use crate::runtime::{Answer, ByteStream, Event, Number, Uuid};
use crate::server::files::{
    AddNoteResponse, DeleteFileResponse, DownloadFileResponse, ReplaceFileResponse,
    UploadFileResponse, WatchFilesResponse,
};
use crate::server::payment_links::ListPaymentLinksResponse;
use crate::server::transactions::{CreatePurchaseResponse, GetTransactionResponse};
use crate::server::{Context, Files, PaymentLinks, Routes, Transactions};

pub const KNOWN: &str = "3f1c2d54-0000-4000-8000-00000000ABCD";
pub const BROKEN: &str = "3f1c2d54-0000-4000-8000-0000000000ff";
pub const KEY: &str = "very-secret-key";

pub struct Shop;

impl Transactions for Shop {
    async fn create_purchase(
        &self,
        context: Context,
        body: PurchaseRequest,
    ) -> CreatePurchaseResponse {
        if body.currency == "XXX" {
            let mut problem = Problem::new("Not Found", 404);
            problem.request_id = Some(context.request_id);
            return CreatePurchaseResponse::NotFound(problem);
        }
        let mut transaction = Transaction::new(Uuid::random());
        transaction.merchant_transaction_id = Some(body.merchant_transaction_id);
        transaction.amount = Some(body.amount);
        transaction.billing_address = body.billing_address;
        transaction.status = Some("SETTLING".into());
        transaction.created_at = Some(jiff::Timestamp::UNIX_EPOCH.into());
        let headers = CreatePurchaseCreatedHeaders {
            idempotent_replayed: Some(false),
        };
        CreatePurchaseResponse::Created(transaction, headers)
    }

    async fn get_transaction(
        &self,
        _context: Context,
        parameters: GetTransactionParameters,
    ) -> GetTransactionResponse {
        match parameters.id.to_string().as_str() {
            KNOWN => GetTransactionResponse::Ok(Transaction::new(parameters.id)),
            BROKEN => GetTransactionResponse::Other(Answer::bytes(
                200,
                "application/json",
                format!(r#"{{"id": "{BROKEN}", "actions": {{"capture": "yes"}}}}"#),
            )),
            _ => GetTransactionResponse::NotFound(Problem::new("Not Found", 404)),
        }
    }
}

impl Files for Shop {
    /// Answers with the size of the file, or else refuses with what came.
    async fn upload_file(&self, _: Context, body: FileUpload) -> UploadFileResponse {
        if body.labels.is_some() {
            return UploadFileResponse::Default(409, Problem::new(format!("{body:?}"), 409));
        }
        let mut record = FileRecord::new(body.purpose.as_str());
        record.size = i64::try_from(body.file.content.size().unwrap()).ok();
        UploadFileResponse::Ok(record)
    }

    /// Answers with the size of the body and the headers that went ahead of it.
    async fn replace_file(
        &self,
        context: Context,
        _: ReplaceFileParameters,
        mut body: ByteStream,
    ) -> ReplaceFileResponse {
        let framing = ["content-length", "transfer-encoding"];
        let framing = framing.map(|name| context.header(name).unwrap_or_default().to_owned());
        let mut size = 0;
        while let Some(piece) = body.next().await {
            match piece {
                Ok(piece) => size += UPLOADED.take(&piece),
                Err(error) => {
                    return ReplaceFileResponse::Default(400, Problem::new(error.to_string(), 400));
                }
            }
        }
        let mut record = FileRecord::new(framing.join(" ").trim());
        record.size = Some(size);
        ReplaceFileResponse::Ok(record)
    }

    /// Two events, one more and a failure, then no more.
    async fn watch_files(&self, context: Context) -> WatchFilesResponse {
        let asked = context.header("last-event-id").unwrap_or_default();
        let event = |id: &str| Event::new(FileRecord::new(format!("file-{id}"))).id(id);
        if context.header("x-quiet").is_some() {
            let (sender, events) = EventStream::channel(1);
            tokio::spawn(async move { sender.closed().await });
            return WatchFilesResponse::Ok(events.keep_alive(Duration::from_millis(10)));
        }
        match asked {
            "" => {
                let (sender, events) = EventStream::channel(1);
                let pause = Duration::from_millis(10);
                let sent = [event("1").event("new").retry(pause), event("2")];
                tokio::spawn(async move {
                    for event in sent {
                        sender.send(event).await.unwrap();
                    }
                });
                WatchFilesResponse::Ok(events)
            }
            "2" => {
                let events = [
                    Ok(event("3")),
                    Err(std::io::Error::other("the disk is gone")),
                ];
                WatchFilesResponse::Ok(EventStream::new(pieces::few(events)))
            }
            _ => WatchFilesResponse::Other(Answer::empty(204)),
        }
    }

    /// Answers with what it was asked for.
    async fn download_file(
        &self,
        context: Context,
        parameters: DownloadFileParameters,
    ) -> DownloadFileResponse {
        if parameters.id == ["unknown"] {
            return DownloadFileResponse::NotFound("no such file".into());
        }
        match parameters.id.first().map(String::as_str) {
            Some("large") => {
                return DownloadFileResponse::Ok(ByteStream::new(pieces::large(&DOWNLOADED)));
            }
            Some("broken") => return DownloadFileResponse::Ok(ByteStream::new(pieces::broken())),
            Some("short") => {
                let body = ByteStream::new(pieces::of(&["12345"])).with_size(10);
                return DownloadFileResponse::Ok(body);
            }
            _ => {}
        }
        let cookie = context.header("cookie").unwrap_or_default();
        DownloadFileResponse::Ok(format!("{parameters:?} {cookie}").into())
    }

    async fn delete_file(
        &self,
        _: Context,
        parameters: DeleteFileParameters,
    ) -> DeleteFileResponse {
        match parameters.id.as_str() {
            "later" => DeleteFileResponse::Accepted(FileRecord::new("later")),
            "never" => DeleteFileResponse::ClientError(423, Problem::new("Locked", 423)),
            _ => DeleteFileResponse::NoContent,
        }
    }

    async fn add_note(
        &self,
        _: Context,
        parameters: AddNoteParameters,
        body: AddNoteBody,
    ) -> AddNoteResponse {
        match body {
            AddNoteBody::Json(note) | AddNoteBody::Form(note) => AddNoteResponse::Json(note),
            AddNoteBody::Text(text) => AddNoteResponse::Text(format!("{} {text}", parameters.id)),
        }
    }
}

impl PaymentLinks for Shop {
    /// Puts what it was asked for into the answer, for the tests to look at.
    async fn list_payment_links(
        &self,
        _context: Context,
        parameters: ListPaymentLinksParameters,
    ) -> ListPaymentLinksResponse {
        let link = PaymentLink {
            id: None,
            amount: Some(PaymentLinkAmount {
                currency: Some(format!("{parameters:?}")),
                value: Number::new("10.10").ok(),
            }),
        };
        ListPaymentLinksResponse::Ok(PaymentLinkList {
            data: Some(vec![link]),
        })
    }
}

/// An HTTP client for requests that the typed one does not make.
pub fn http() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .tls_certs_only([])
        .build()
        .unwrap()
}

/// Serves a router on a free port and gives its address.
pub async fn serve(router: axum::Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}")
}

pub fn routes() -> Routes {
    crate::server::routes(&Arc::new(Shop))
}

/// The address of a shop.
pub async fn shop() -> String {
    serve(routes().into_router()).await
}

/// A client of a shop.
pub async fn client() -> Client {
    client_of(&shop().await)
}

pub fn client_of(address: &str) -> Client {
    Client::new(Settings::new(address).api_key(KEY)).unwrap()
}

pub fn purchase() -> PurchaseRequest {
    PurchaseRequest::new("order-1", "10.00".parse().unwrap(), "EUR")
}
