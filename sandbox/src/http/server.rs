//! The application, and serving it.

use std::sync::Arc;
use std::time::Duration;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, extract::State};
use http::StatusCode;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{Authentication, authentication, idle, limits, problems, request_id};
use crate::service::Service;
use crate::store;

/// How long requests may take to end once the program is asked to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a connection on which nothing happens is usually kept.
pub const IDLE: Duration = Duration::from_mins(1);

/// Everything that is served: the operations behind credentials, and two health checks.
///
/// Credentials come before anything else that a request could be refused for.
pub fn app(service: Arc<Service>, authentication: Authentication, operations: Router) -> Router {
    let operations = operations
        .layer(from_fn(limits::bound))
        .layer(from_fn_with_state(authentication, authentication::require));
    Router::new()
        .route("/healthz", get(StatusCode::NO_CONTENT))
        .route("/readyz", get(ready))
        .with_state(service)
        .fallback_service(operations)
        .layer(from_fn(problems::complete))
        .layer(from_fn(request_id::name))
}

/// Serves until the signal comes; requests that are being answered then get a moment more.
///
/// A connection on which nothing happens for as long as `idle_for` is closed.
pub async fn serve(
    listener: TcpListener,
    idle_for: Duration,
    service: Arc<Service>,
    app: Router,
    signal: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let listener = idle::Limited::new(listener, idle_for);
    let settling = tokio::spawn(async move { service.keep_settling().await });
    let (stopping, stopped) = oneshot::channel::<()>();
    let signal = async move {
        signal.await;
        // Nobody hears it when serving has failed already.
        let _ = stopping.send(());
    };
    let patience = async move {
        match stopped.await {
            Ok(()) => tokio::time::sleep(PATIENCE).await,
            Err(_) => std::future::pending().await,
        }
    };
    let served = tokio::select! {
        served = axum::serve(listener, app).with_graceful_shutdown(signal) => served,
        () = patience => Ok(()),
    };
    settling.abort();
    served
}

/// Whether the database answers.
async fn ready(State(service): State<Arc<Service>>) -> Response {
    match service.store().read(store::next_due) {
        Ok(_) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}
