use std::future::ready;
use std::sync::Arc;

use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// The operations of `responses`.
pub trait Responses: Send + Sync + 'static {
    /// The operation `poll`.
    ///
    /// `GET /jobs`
    fn poll(&self, context: Context) -> impl Future<Output = PollResponse> + Send {
        ready(PollResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: Responses>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&operations::responses::POLL, implementation, poll)
}

/// A router of the area.
pub fn router<T: Responses>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
