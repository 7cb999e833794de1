use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// The operations of `checked-requests`.
pub trait CheckedRequests: Send + Sync + 'static {
    /// The operation `tag`.
    ///
    /// `PUT /things/{id}/tags`
    fn tag(
        &self,
        context: Context,
        parameters: operations::checked_requests::TagParameters,
        body: Vec<String>,
    ) -> impl Future<Output = TagResponse> + Send {
        let _ = parameters;
        let _ = body;
        ready(TagResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: CheckedRequests>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&operations::checked_requests::TAG, implementation, tag)
}

/// A router of the area.
pub fn router<T: CheckedRequests>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
