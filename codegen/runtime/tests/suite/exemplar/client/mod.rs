//! The client: one handle for each area.

mod files;
mod payment_links;
mod transactions;

pub use crate::runtime::client::{Error, Request, Response, Settings};
pub use files::{
    AddNote, AddNoteError, AddNoteSuccess, DeleteFile, DeleteFileError, DeleteFileSuccess,
    DownloadFile, DownloadFileError, Files, ReplaceFileError, UploadFile, UploadFileError,
};
pub use payment_links::{ListPaymentLinks, ListPaymentLinksError, PaymentLinks};
pub use transactions::{
    CaptureTransaction, CaptureTransactionError, CreatePurchase, CreatePurchaseError,
    GetTransaction, GetTransactionError, Transactions,
};

use std::sync::Arc;

use crate::operations;
use crate::runtime::Sensitive;
use crate::runtime::client::{Connection, Credential, RequestError};

/// A client of the service. Clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Arc<Connection>,
}

impl Client {
    /// A client with the given address and credentials. Nothing is sent yet.
    pub fn new(settings: Settings) -> Result<Self, RequestError> {
        Ok(Self {
            connection: Arc::new(settings.connect()?),
        })
    }

    /// Purchases, captures and refunds.
    pub fn transactions(&self) -> Transactions {
        Transactions::new(&self.connection)
    }

    /// Files.
    pub fn files(&self) -> Files {
        Files::new(&self.connection)
    }

    /// Payment links.
    pub fn payment_links(&self) -> PaymentLinks {
        PaymentLinks::new(&self.connection)
    }
}

impl Settings {
    /// With the API key.
    #[must_use]
    pub fn api_key(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::API_KEY,
            Credential::Key(Sensitive::new(key.into())),
        )
    }

    /// With user name and password.
    #[must_use]
    pub fn basic(self, user: impl Into<String>, password: impl Into<String>) -> Self {
        let password = Sensitive::new(password.into());
        self.credential(operations::BASIC, Credential::Basic(user.into(), password))
    }

    /// With the cookie of a session.
    #[must_use]
    pub fn session(self, key: impl Into<String>) -> Self {
        self.credential(
            operations::SESSION,
            Credential::Key(Sensitive::new(key.into())),
        )
    }
}
