use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// What is sent unasked.
pub trait Webhooks: Send + Sync + 'static {
    /// A pet has come
    ///
    /// `POST `
    fn new_pet(
        &self,
        context: Context,
        parameters: operations::webhooks::NewPetParameters,
        body: models::NewPet,
    ) -> impl Future<Output = NewPetResponse> + Send {
        let _ = parameters;
        let _ = body;
        ready(NewPetResponse::Other(context.not_implemented()))
    }
}

/// Receives `newPet` at a path of your own.
pub fn receive_new_pet<T: Webhooks>(path: &str, implementation: &Arc<T>) -> Routes {
    Routes::new()
        .operation(&operations::webhooks::NEW_PET, implementation, new_pet)
        .at(path)
}
