//! Assembles the application and serves it.

use std::sync::Arc;
use std::time::Duration;

use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, extract::State};
use http::{StatusCode, header};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use super::{
    Authentication, Missing, authentication, idle, inject, limits, problems, record, request_id,
};
use crate::instruments::Instruments;
use crate::metrics::MEDIA_TYPE;
use crate::service::Service;
use crate::store;

/// How long running requests may take after a stop signal.
const PATIENCE: Duration = Duration::from_secs(5);
/// The `Retry-After` of the readiness check, in seconds.
const RETRY_AFTER: &str = "5";
/// The default time after which an idle connection is closed.
pub const IDLE: Duration = Duration::from_mins(1);

/// The parts of the application.
#[derive(Debug)]
pub struct App {
    /// The commands.
    pub service: Arc<Service>,
    /// The instruments that record requests and inject faults.
    pub instruments: Arc<Instruments>,
    /// The authentication of calls.
    pub authentication: Authentication,
    /// How calls without a request id are handled.
    pub missing: Missing,
    /// The operations.
    pub operations: Router,
    /// The control interface, which has a separate key.
    pub control: Router,
    /// The pages for people, whose errors are pages, too.
    pub pages: Router,
}

/// The whole application with all its layers.
///
/// Authentication comes before every other reason to refuse a request.
pub fn app(app: App) -> Router {
    let instruments = Arc::clone(&app.instruments);
    let operations = { app.operations }
        .layer(from_fn_with_state(Arc::clone(&instruments), inject::inject))
        .layer(from_fn(limits::bound))
        .layer(from_fn_with_state(app.missing, request_id::require))
        .layer(from_fn_with_state(
            app.authentication,
            authentication::require,
        ));
    Router::new()
        .route("/healthz", get(StatusCode::NO_CONTENT))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .with_state(Arc::clone(&app.service))
        .merge(app.control)
        .fallback_service(operations)
        .layer(from_fn(problems::complete))
        .layer(from_fn_with_state(
            (app.service, instruments),
            record::record,
        ))
        .layer(from_fn(request_id::name))
        .merge(app.pages)
        .layer(from_fn(idle::watch))
}

/// Serves until the signal completes; requests in progress then get more time.
///
/// A connection that is idle for `idle_for` is closed, unless it waits for an answer.
pub async fn serve(
    listener: TcpListener,
    idle_for: Duration,
    app: Router,
    signal: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let listener = idle::Limited::new(listener, idle_for);
    let (stopping, stopped) = oneshot::channel::<()>();
    let signal = async move {
        signal.await;
        // The receiver is gone when serving has already failed.
        let _ = stopping.send(());
    };
    let patience = async move {
        match stopped.await {
            Ok(()) => tokio::time::sleep(PATIENCE).await,
            Err(_) => std::future::pending().await,
        }
    };
    let app = app.into_make_service_with_connect_info::<idle::Progress>();
    tokio::select! {
        served = axum::serve(listener, app).with_graceful_shutdown(signal) => served,
        () = patience => Ok(()),
    }
}

/// The readiness check: whether the database is writable.
async fn ready(State(service): State<Arc<Service>>) -> Response {
    match service.store().write(store::rewrite_secrets).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            let later = [(header::RETRY_AFTER, RETRY_AFTER)];
            (StatusCode::SERVICE_UNAVAILABLE, later).into_response()
        }
    }
}

/// The metrics.
async fn metrics(State(service): State<Arc<Service>>) -> Response {
    service.metrics().read(service.store());
    (
        [(header::CONTENT_TYPE, MEDIA_TYPE)],
        service.metrics().text(),
    )
        .into_response()
}
