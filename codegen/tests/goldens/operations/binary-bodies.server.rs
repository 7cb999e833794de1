use std::future::ready;
use std::sync::Arc;

use crate::operations;
use crate::runtime::server::{Call, Context, Refusal, Reply, Routes};
use crate::runtime::{Answer, ByteStream};

/// The operations of `binary-bodies`.
pub trait BinaryBodies: Send + Sync + 'static {
    /// The operation `shrink`.
    ///
    /// `POST /shrink`
    fn shrink(
        &self,
        context: Context,
        body: ByteStream,
    ) -> impl Future<Output = ShrinkResponse> + Send {
        let _ = body;
        ready(ShrinkResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: BinaryBodies>(implementation: &Arc<T>) -> Routes {
    Routes::new().streaming(
        &["application/octet-stream"],
        &operations::binary_bodies::SHRINK,
        implementation,
        shrink,
    )
}

/// A router of the area.
pub fn router<T: BinaryBodies>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
