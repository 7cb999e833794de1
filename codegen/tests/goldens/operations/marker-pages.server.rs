use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// The operations of `marker-pages`.
pub trait MarkerPages: Send + Sync + 'static {
    /// The operation `listWebhooks`.
    ///
    /// `GET /webhooks`
    fn list_webhooks(
        &self,
        context: Context,
        parameters: operations::marker_pages::ListWebhooksParameters,
    ) -> impl Future<Output = ListWebhooksResponse> + Send {
        let _ = parameters;
        ready(ListWebhooksResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: MarkerPages>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(
        &operations::marker_pages::LIST_WEBHOOKS,
        implementation,
        list_webhooks,
    )
}

/// A router of the area.
pub fn router<T: MarkerPages>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
