pub use crate::runtime::client::{Error, Request, Response, Settings};

use std::sync::Arc;

use crate::operations;
use crate::runtime::Sensitive;
use crate::runtime::client::{
    ClientCredentials, Connection, Credential, RequestError, TokenSource,
};

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

    /// The operations of `security`.
    pub fn security(&self) -> security::Security {
        security::Security::new(&self.connection)
    }
}

impl Settings {
    /// With user name and password.
    #[must_use]
    pub fn basic(self, user: impl Into<String>, password: impl Into<String>) -> Self {
        let password = Sensitive::new(password.into());
        self.credential(operations::BASIC, Credential::Basic(user.into(), password))
    }
}
