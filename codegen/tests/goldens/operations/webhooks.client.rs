use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::client::{Connection, Endpoint, Outcome, Request, RequestError, Settings};
use crate::runtime::json::Unreadable;
use crate::runtime::{Answer, Operation};

/// What is sent unasked.
#[derive(Clone, Debug)]
pub struct Webhooks {
    connection: Arc<Connection>,
}

impl Webhooks {
    /// Sends with these settings; [`Settings::anywhere`] has what it takes.
    pub fn new(settings: Settings) -> Result<Self, RequestError> {
        Ok(Self {
            connection: Arc::new(settings.connect()?),
        })
    }

    /// A pet has come
    ///
    /// `POST `
    pub fn new_pet(&self, address: &str, body: &models::NewPet) -> Request<NewPet> {
        Request::new(
            &self.connection,
            operations::webhooks::NewPetParameters::default(),
        )
        .to(address)
        .json("application/json", body)
    }
}
