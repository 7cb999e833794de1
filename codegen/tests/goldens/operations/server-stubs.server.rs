use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// Things to keep.
pub trait ServerStubs: Send + Sync + 'static {
    /// Keep a thing
    ///
    /// `PUT /things/{id}`
    fn keep(
        &self,
        context: Context,
        parameters: operations::server_stubs::KeepParameters,
        body: models::Kept,
    ) -> impl Future<Output = KeepResponse> + Send {
        let _ = parameters;
        let _ = body;
        ready(KeepResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: ServerStubs>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&operations::server_stubs::KEEP, implementation, keep)
}

/// A router of the area.
pub fn router<T: ServerStubs>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
