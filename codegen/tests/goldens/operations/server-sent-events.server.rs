use std::future::ready;
use std::sync::Arc;

use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, EventStream, Refusal, Reply, Routes};

/// The operations of `server-sent-events`.
pub trait ServerSentEvents: Send + Sync + 'static {
    /// The operation `ticks`.
    ///
    /// `GET /ticks`
    fn ticks(&self, context: Context) -> impl Future<Output = TicksResponse> + Send {
        ready(TicksResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: ServerSentEvents>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(
        &operations::server_sent_events::TICKS,
        implementation,
        ticks,
    )
}

/// A router of the area.
pub fn router<T: ServerSentEvents>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `ticks`.
#[derive(Debug)]
pub enum TicksResponse {
    /// 200: The ticks.
    Ok(EventStream<i64>),
    /// Any other answer.
    Other(Answer),
}
