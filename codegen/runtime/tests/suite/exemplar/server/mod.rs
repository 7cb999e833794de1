//! The server stubs: one trait for each area.
//!
//! Implement the trait of an area, one method at a time; what has no method yet answers 501.

pub mod files;
pub mod payment_links;
pub mod transactions;

pub use crate::runtime::server::{Context, Routes};
pub use files::Files;
pub use payment_links::PaymentLinks;
pub use transactions::Transactions;

use std::sync::Arc;

/// The operations of all areas.
pub fn routes<T: Transactions + PaymentLinks + Files>(implementation: &Arc<T>) -> Routes {
    Routes::new()
        .merge(transactions::routes(implementation))
        .merge(payment_links::routes(implementation))
        .merge(files::routes(implementation))
}

/// A router of all areas.
pub fn router<T: Transactions + PaymentLinks + Files>(implementation: &Arc<T>) -> axum::Router {
    routes(implementation).into_router()
}
