//! What an error says, and what one function can ask of the errors of any operation.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use tokio::net::TcpListener;

use codegen_goldens::client;
use codegen_goldens::client::explained_refusals::OpenError;
use codegen_goldens::runtime::client::{Error, Failed, RetryPolicy, Settings};

/// The error of a call that is answered like this.
async fn refused(status: u16, media_type: &'static str, body: &'static str) -> Error<OpenError> {
    let answer = move || async move {
        let headers = [("content-type", media_type), ("retry-after", "7")];
        (StatusCode::from_u16(status).unwrap(), headers, body)
    };
    let router = axum::Router::new().fallback(answer);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let settings = Settings::new(format!("http://{}", listener.local_addr().unwrap()));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    let connection = settings.retries(RetryPolicy::off()).connect().unwrap();
    let call = client::explained_refusals(&Arc::new(connection)).open();
    call.await.unwrap_err()
}

#[tokio::test]
async fn an_error_says_what_the_server_says() {
    for (status, media_type, body, expected) in [
        (
            422,
            "application/problem+json",
            r#"{"title": "Invalid", "detail": "No such door.", "invalid-params": [{"name": "door", "reason": "unknown"}, {"name": "key"}]}"#,
            "the server answered 422 Unprocessable Entity: Invalid: No such door; door: unknown",
        ),
        (
            422,
            "application/problem+json",
            r#"{"title": null, "detail": "No such door."}"#,
            "the server answered 422 Unprocessable Entity: No such door",
        ),
        (
            409,
            "application/json",
            r#"{"error": {"message": "It is open.", "secret": "1234"}}"#,
            "the server answered 409 Conflict: It is open",
        ),
        (403, "text/plain", "", "the server answered 403 Forbidden"),
        (
            429,
            "application/problem+json",
            r#"{"title": "Too many"}"#,
            "the server answered 429 Too Many Requests, which is not documented so: Too many",
        ),
        (
            500,
            "text/html",
            "<h1>Oops</h1>",
            "the server answered 500 Internal Server Error, which is not documented so",
        ),
    ] {
        let error = refused(status, media_type, body).await;
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn one_function_handles_the_errors_of_any_operation() {
    fn described(error: &dyn Failed) -> (Option<u16>, Option<Duration>, Option<String>) {
        let problem = error.problem().and_then(|problem| problem.title);
        let status = error.status().map(|status| status.as_u16());
        let asked = error
            .headers()
            .is_some_and(|all| all.contains_key("retry-after"));
        assert_eq!(asked, error.retry_after().is_some());
        assert!(error.request_id().is_none() && !error.is_timeout());
        (status, error.retry_after(), problem.map(Into::into))
    }
    let body = r#"{"title": "Invalid", "detail": "No such door."}"#;
    let error = refused(422, "application/problem+json", body).await;
    assert!(matches!(
        error.refusal(),
        Some(OpenError::UnprocessableContent(_))
    ));
    let wait = Some(Duration::from_secs(7));
    assert_eq!(
        described(&error),
        (Some(422), wait, Some("Invalid".to_owned()))
    );
    let error = refused(403, "text/plain", "").await;
    assert_eq!(described(&error), (Some(403), wait, None));
}
