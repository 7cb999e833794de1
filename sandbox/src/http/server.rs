//! The application, and serving it.

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

/// How long requests may take to end once the program is asked to stop.
const PATIENCE: Duration = Duration::from_secs(5);
/// When to ask again whether the sandbox is ready, in seconds.
const RETRY_AFTER: &str = "5";
/// How long a connection on which nothing happens and nothing is waited for is usually kept.
pub const IDLE: Duration = Duration::from_mins(1);

/// What is served.
#[derive(Debug)]
pub struct App {
    /// Its commands.
    pub service: Arc<Service>,
    /// What watches and disturbs the requests.
    pub instruments: Arc<Instruments>,
    /// Who may call the operations.
    pub authentication: Authentication,
    /// What becomes of calls without a request id.
    pub missing: Missing,
    /// The operations.
    pub operations: Router,
    /// The control interface, which has a key of its own.
    pub control: Router,
    /// Pages for people, whose errors are pages, too.
    pub pages: Router,
}

/// Everything that is served, behind whatever has to be passed first.
///
/// Credentials come before anything else that a request could be refused for.
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

/// Serves until the signal comes; requests that are being answered then get a moment more.
///
/// A connection on which nothing happens for as long as `idle_for` is closed, unless it waits for an
/// answer.
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
        // Nobody hears it when serving has failed already.
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

/// Whether the database can be written.
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

/// What was counted.
async fn metrics(State(service): State<Arc<Service>>) -> Response {
    service.metrics().read(service.store());
    (
        [(header::CONTENT_TYPE, MEDIA_TYPE)],
        service.metrics().text(),
    )
        .into_response()
}
