use std::future::ready;
use std::sync::Arc;

use crate::models;
use crate::operations;
use crate::runtime::Answer;
use crate::runtime::server::{Call, Context, EventStream, Refusal, Reply, Routes};

/// The operations of `named-events`.
pub trait NamedEvents: Send + Sync + 'static {
    /// The operation `changes`.
    ///
    /// `GET /changes`
    fn changes(&self, context: Context) -> impl Future<Output = ChangesResponse> + Send {
        ready(ChangesResponse::Other(context.not_implemented()))
    }
}

/// The operations of the area.
pub fn routes<T: NamedEvents>(implementation: &Arc<T>) -> Routes {
    Routes::new().operation(&operations::named_events::CHANGES, implementation, changes)
}

/// A router of the area.
pub fn router<T: NamedEvents>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}

/// The answers of `changes`.
#[derive(Debug)]
pub enum ChangesResponse {
    /// 200: The changes.
    Ok(EventStream<models::ChangesEvent>),
    /// Any other answer.
    Other(Answer),
}
