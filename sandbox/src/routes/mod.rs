//! The operations, on the generated traits: one file for each area.

use std::sync::Arc;

use axum::Router;

use crate::service::Service;

/// Every operation.
pub fn operations(_service: &Arc<Service>) -> Router {
    Router::new()
}
