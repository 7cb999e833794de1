use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, Refusal, Routes};

/// The operations of `multipart`.
pub trait Multipart: Send + Sync + 'static {
    /// The operation `upload`.
    ///
    /// `POST /files`
    fn upload(
        &self,
        context: Context,
        body: models::UploadParts,
    ) -> impl Future<Output = UploadResponse> + Send {
        let _ = body;
        ready(UploadResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: Multipart>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&operations::multipart::UPLOAD, implementation, upload)
}

/// A router of the area.
pub fn router<T: Multipart>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
