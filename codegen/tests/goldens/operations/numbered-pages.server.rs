use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// The operations of `numbered-pages`.
pub trait NumberedPages: Send + Sync + 'static {
    /// The operation `listEntries`.
    ///
    /// `GET /entries`
    fn list_entries(
        &self,
        context: Context,
        parameters: operations::numbered_pages::ListEntriesParameters,
    ) -> impl Future<Output = ListEntriesResponse> + Send {
        let _ = parameters;
        ready(ListEntriesResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: NumberedPages>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(
        &operations::numbered_pages::LIST_ENTRIES,
        implementation,
        list_entries,
    )
}

/// A router of the area.
pub fn router<T: NumberedPages>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
